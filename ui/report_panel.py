"""The panel of the build report: problems first, what is meant to be left out folded, and pages of a long report."""

import bpy

from ..operators.build_report import ReportEntry, Weight
from ..operators.built_level import built_level
from ..operators.select_reported import LEVELWALK_OT_select_reported
from .tab import ICON, Tab, body_of, draw_lines

PAGE = 30  # entries on a page: more would make the sidebar slow
ICONS = {Weight.WARNING: "ERROR", Weight.MENDED: "CHECKMARK"}


class LEVELWALK_PT_build_report(Tab, bpy.types.Panel):
    bl_label = "Build Report"
    bl_parent_id = "LEVELWALK_PT_level"
    bl_order = 1
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return built_level(context.scene) is not None

    def draw(self, context: bpy.types.Context) -> None:
        built = built_level(context.scene)
        entries = built.entries if built else ()
        column = body_of(self).column(align=True)
        if not entries:
            column.label(text="Nothing was left out or mended")
            return
        group = context.window_manager.levelwalk
        page = min(group.report_page, page_count(context))
        shown = _shown(entries, is_unfolded=group.show_left_out)[(page - 1) * PAGE : page * PAGE]
        _draw_findings(column, context, [entry for entry in shown if entry.weight is not Weight.LEFT_OUT])
        left_out = sum(entry.weight is Weight.LEFT_OUT for entry in entries)
        if left_out:
            row = column.row()
            row.alignment = "LEFT"
            icon = "TRIA_DOWN" if group.show_left_out else "TRIA_RIGHT"
            row.prop(group, "show_left_out", text=f"Left Out ({left_out:,})", icon=icon, emboss=False)
            _draw_left_out(column, context, [entry for entry in shown if entry.weight is Weight.LEFT_OUT])
        if page_count(context) > 1:
            row = column.row()
            row.prop(group, "report_page", text="Page")
            row.label(text=f"of {page_count(context):,}")


def page_count(context: bpy.types.Context) -> int:
    """Return how many pages the report has, one at least."""
    built = built_level(context.scene)
    is_unfolded = context.window_manager.levelwalk.show_left_out
    return max(1, -(-len(_shown(built.entries if built else (), is_unfolded=is_unfolded)) // PAGE))


def _shown(entries: tuple[ReportEntry, ...], *, is_unfolded: bool) -> list[ReportEntry]:
    """Return what is to be shown, on all pages; what is left out for one reason is together."""
    problems = [entry for entry in entries if entry.weight is not Weight.LEFT_OUT]
    if not is_unfolded:
        return problems
    reasons: dict[str, list[ReportEntry]] = {}
    for entry in entries:
        if entry.weight is Weight.LEFT_OUT:
            reasons.setdefault(entry.text, []).append(entry)
    return problems + [entry for group in reasons.values() for entry in group]


def _draw_findings(layout: bpy.types.UILayout, context: bpy.types.Context, entries: list[ReportEntry]) -> None:
    """Draw for each object its name, and below it a line for each finding that leads to its own place."""
    last = ""
    for entry in entries:
        if entry.name != last:
            _draw_name(layout, entry)
        last = entry.name
        row = layout.row(align=True)
        draw_lines(row, context, _sentence(entry.text), ICONS[entry.weight], ICON if entry.place else 0)
        if entry.place is not None:
            _draw_select(row, entry, text="", icon="VIEWZOOM")


def _draw_left_out(layout: bpy.types.UILayout, context: bpy.types.Context, entries: list[ReportEntry]) -> None:
    """Draw each reason, and below it the names of the objects."""
    last = ""
    for entry in entries:
        if entry.text != last:
            draw_lines(layout, context, _sentence(entry.text.removeprefix("left out: ")), "BLANK1")
        last = entry.text
        _draw_name(layout, entry)


def _draw_name(layout: bpy.types.UILayout, entry: ReportEntry) -> None:
    """Draw an object's name as a button that selects it."""
    row = layout.row()
    row.alignment = "LEFT"
    _draw_select(row, entry, text=entry.name, icon="RESTRICT_SELECT_OFF")


def _draw_select(layout: bpy.types.UILayout, entry: ReportEntry, *, text: str, icon: str) -> None:
    select = layout.operator(LEVELWALK_OT_select_reported.bl_idname, text=text, icon=icon, emboss=False)
    select.ob, select.bringer = entry.ob, entry.bringer
    if entry.place is not None:
        select.has_place, select.place = True, entry.place


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


classes = (LEVELWALK_PT_build_report,)
