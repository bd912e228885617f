/* Rows of points one above the other, drawn as their outline. */
#include "tools/gridloom/model/schedule/outline.h"

static const double number_pixels = 15; /* a smaller outline has no number */

typedef struct {
    double x;
    double y;
    guint64 number;
} Label;

void model_schedule_outline_init(ModelScheduleOutline *self)
{
    *self = (ModelScheduleOutline){
        .left = g_array_new(FALSE, FALSE, sizeof(TraceSvgPoint)),
        .right = g_array_new(FALSE, FALSE, sizeof(TraceSvgPoint)),
    };
}

void model_schedule_outline_clear(ModelScheduleOutline *self)
{
    g_array_unref(self->left);
    g_array_unref(self->right);
}

static const TraceSvgPoint *point_at(const GArray *side, guint index)
{
    return &g_array_index(side, TraceSvgPoint, index);
}

static void add_side(GArray *side, double x, double low, double high)
{
    const TraceSvgPoint points[] = {{x, low}, {x, high}};

    g_array_append_vals(side, points, G_N_ELEMENTS(points));
}

void model_schedule_outline_add(ModelScheduleOutline *self,
                                const ModelScheduleAxes *axes,
                                double begin,
                                double end,
                                double step)
{
    const double left = model_schedule_axes_x(axes, begin);
    const double right = model_schedule_axes_x(axes, end);
    const double low = model_schedule_axes_y(axes, step);
    const double high = model_schedule_axes_y(axes, step + 1);

    add_side(self->left, left, low, high);
    add_side(self->right, right, low, high);
    self->area += right - left;
    self->moment += (right - left) * (right + left) / 2;
    self->widest = MAX(self->widest, right - left);
}

bool model_schedule_outline_has(const ModelScheduleOutline *self,
                                const ModelScheduleAxes *axes,
                                double step)
{
    const guint count = self->left->len;

    return count > 0 &&
           point_at(self->left, count - 1)->y < model_schedule_axes_y(axes, step + 0.5);
}

GArray *model_schedule_labels_new(void)
{
    return g_array_new(FALSE, FALSE, sizeof(Label));
}

void model_schedule_labels_draw(const GArray *labels, TraceSvg *svg)
{
    const TraceSvgLook look = {.css_class = "schedule-number"};

    for (guint i = 0; i < labels->len; i++) {
        const Label *label = &g_array_index(labels, Label, i);
        g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, label->number);

        trace_svg_text(svg, label->x, label->y + 4, TRACE_SVG_MIDDLE, text, &look);
    }
}

void model_schedule_outline_draw(const ModelScheduleOutline *self,
                                 TraceSvg *svg,
                                 const TraceSvgLook *look,
                                 guint64 number,
                                 GArray *labels)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(TraceSvgPoint));

    if (self->left->len == 0) {
        return;
    }
    g_array_append_vals(points, self->left->data, self->left->len);
    for (guint i = self->right->len; i-- > 0;) {
        g_array_append_vals(points, point_at(self->right, i), 1);
    }
    trace_svg_polygon(svg, point_at(points, 0), points->len, look);

    const double low = point_at(self->left, 0)->y;
    const double high = point_at(self->left, self->left->len - 1)->y;
    const Label label = {self->moment / self->area, (low + high) / 2, number};

    if (self->widest >= number_pixels && low - high >= number_pixels) {
        g_array_append_val(labels, label);
    }
}
