/* The tree of a chain as a picture, with its hyper-nodes. */
#include "tools/gridloom/model/chain/chain.h"
#include "traces/file/quantity.h"
#include "traces/picture/svg.h"

#define LEAF_WIDTH 110.0
#define LEVEL      86.0
#define MARGIN     60.0
#define TOP        84.0
#define BOTTOM     64.0
#define RADIUS     9.0
#define LINE       15.0
#define LEAST      560.0 /* width, for the lines of text */
#define LETTER     9.5   /* width of one of the title */

typedef struct {
    const ChainPlan *plan;
    TraceSvg *svg;
    double left; /* of the first matrix */
    guint depths[CHAIN_NODES];
    bool are_left[CHAIN_NODES]; /* children of their parents */
    guint depth;                /* of the deepest matrix */
} Tree;

static void find_depths(Tree *self)
{
    const ChainPlan *plan = self->plan;

    for (guint i = plan->node_count; i-- > 0;) {
        const guint children[] = {plan->nodes[i].left, plan->nodes[i].right};

        self->depth = MAX(self->depth, self->depths[i] + 1);
        for (guint k = 0; k < G_N_ELEMENTS(children); k++) {
            if (children[k] != CHAIN_LEAF) {
                self->depths[children[k]] = self->depths[i] + 1;
                self->are_left[children[k]] = k == 0;
            }
        }
    }
}

/* In the middle of its matrices, counted from 1. */
static TraceSvgPoint place(const Tree *self, guint first, guint last, guint depth)
{
    return (TraceSvgPoint){
        self->left + LEAF_WIDTH * ((double) (first + last) / 2 - 1),
        TOP + LEVEL * depth,
    };
}

static TraceSvgPoint place_node(const Tree *self, guint node)
{
    const ChainNode *at = &self->plan->nodes[node];

    return place(self, at->first, at->last, self->depths[node]);
}

static TraceSvgPoint
place_child(const Tree *self, guint parent, guint node, guint matrix)
{
    return node == CHAIN_LEAF ? place(self, matrix, matrix, self->depths[parent] + 1)
                              : place_node(self, node);
}

static void
draw_edge(const Tree *self, guint parent, guint node, guint matrix, bool is_fused)
{
    const TraceSvgPoint from = place_node(self, parent);
    const TraceSvgPoint to = place_child(self, parent, node, matrix);
    const TraceSvgLook look = {.css_class = is_fused ? "chain-fused" : "chain-edge"};

    trace_svg_line(self->svg, from.x, from.y, to.x, to.y, &look);
}

static void draw_leaf(const Tree *self, guint parent, guint node, guint matrix)
{
    const uint64_t *sizes = self->plan->chain.sizes;
    const TraceSvgPoint at = place_child(self, parent, node, matrix);
    const TraceSvgLook box = {.css_class = "chain-leaf"};
    const TraceSvgLook small = {.css_class = "chain-small"};
    g_autofree char *name = g_strdup_printf("A%u", matrix);
    g_autofree char *size = g_strdup_printf(
        "%" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT, sizes[matrix - 1], sizes[matrix]);

    if (node != CHAIN_LEAF) {
        return;
    }
    trace_svg_rect(self->svg, at.x - RADIUS, at.y - RADIUS, 2 * RADIUS, 2 * RADIUS,
                   &box);
    trace_svg_text(self->svg, at.x, at.y + RADIUS + LINE, TRACE_SVG_MIDDLE, name, NULL);
    trace_svg_text(self->svg, at.x, at.y + RADIUS + 2 * LINE, TRACE_SVG_MIDDLE, size,
                   &small);
}

/* Words above the circle, on the side where the edge to its parent is not. */
static void draw_node(const Tree *self, guint node)
{
    const ChainNode *at = &self->plan->nodes[node];
    const ChainCost *cost = &at->costs[at->fusion];
    const TraceSvgPoint point = place_node(self, node);
    const bool is_left = self->are_left[node];
    const TraceSvgAnchor anchor = is_left ? TRACE_SVG_END : TRACE_SVG_START;
    const double x = point.x + (is_left ? -RADIUS : RADIUS) * 3 / 2;
    g_autofree char *words = quantity_count((uint64_t) at->least);
    g_autofree char *title = g_strdup_printf("F = %s words", words);
    g_autofree char *name = g_strdup_printf("T%u", node + 1);
    g_autofree char *tile =
        at->is_inside ? g_strdup("not written")
                      : g_strdup_printf("%.1f x %.1f", cost->rows, cost->columns);

    trace_svg_circle(self->svg, point.x, point.y, RADIUS,
                     &(TraceSvgLook){
                         .css_class = at->is_inside ? "chain-inside" : "chain-node",
                         .title = title,
                     });
    trace_svg_text(self->svg, x, point.y - 4 * LINE / 3, anchor, name, NULL);
    trace_svg_text(self->svg, x, point.y - LINE / 3, anchor, tile,
                   &(TraceSvgLook){.css_class = "chain-small"});
}

static void draw(const Tree *self)
{
    const ChainPlan *plan = self->plan;

    for (guint i = 0; i < plan->node_count; i++) {
        const ChainNode *at = &plan->nodes[i];
        const ChainFusion fusion = at->is_inside ? CHAIN_SINGLE : at->fusion;

        draw_edge(self, i, at->left, at->first, fusion == CHAIN_LEFT);
        draw_edge(self, i, at->right, at->last, fusion == CHAIN_RIGHT);
    }
    for (guint i = 0; i < plan->node_count; i++) {
        const ChainNode *at = &plan->nodes[i];

        draw_leaf(self, i, at->left, at->first);
        draw_leaf(self, i, at->right, at->last);
        draw_node(self, i);
    }
}

static void add_styles(TraceSvg *svg)
{
    trace_svg_style(svg, ".chain-edge", "stroke:#777;stroke-width:1.5");
    trace_svg_style(svg, ".chain-fused", "stroke:#c23b22;stroke-width:7");
    trace_svg_style(svg, ".chain-node", "fill:#2b5c8a;stroke:#fff;stroke-width:1.5");
    trace_svg_style(svg, ".chain-inside", "fill:#fff;stroke:#c23b22;stroke-width:2.5");
    trace_svg_style(svg, ".chain-leaf", "fill:#d9d9d9;stroke:#777");
    trace_svg_style(svg, ".chain-small", "font-size:11px;fill:#555");
    trace_svg_style(svg, ".chain-title", "font-size:15px;font-weight:600");
}

char *model_chain_tree_svg(const ChainPlan *plan)
{
    const double wide = LEAF_WIDTH * (plan->chain.matrix_count - 1) + 2 * MARGIN;
    Tree tree = {.plan = plan};
    g_autofree char *single = quantity_count((uint64_t) plan->single_words);
    g_autofree char *fused = quantity_count((uint64_t) plan->fused_words);
    g_autofree char *title =
        g_strdup_printf("%u matrices: F = %s words, %.2f %% below S = %s (%s)",
                        plan->chain.matrix_count, fused, chain_plan_reduction(plan),
                        single, chain_form_name(plan->form));
    const TraceSvgLook title_look = {.css_class = "chain-title"};
    const TraceSvgLook small = {.css_class = "chain-small"};

    find_depths(&tree);
    const double width =
        MAX(wide, MAX(LEAST, trace_svg_text_width(title, LETTER) + MARGIN));
    const double height = TOP + LEVEL * tree.depth + BOTTOM + 2 * LINE;
    g_autoptr(TraceSvg) svg = trace_svg_new(width, height, title);

    tree.svg = svg;
    tree.left = MARGIN + (width - wide) / 2;
    add_styles(svg);
    trace_svg_text(svg, MARGIN / 2, LINE * 2, TRACE_SVG_START, title, &title_look);
    draw(&tree);
    trace_svg_line(svg, MARGIN / 2, height - LINE * 1.6, MARGIN / 2 + LINE * 2,
                   height - LINE * 1.6, &(TraceSvgLook){.css_class = "chain-fused"});
    trace_svg_text(svg, MARGIN / 2 + LINE * 2.6, height - LINE * 1.3, TRACE_SVG_START,
                   "fused into one pass: a hyper-node, whose inner result is never "
                   "written",
                   &small);
    trace_svg_text(svg, MARGIN / 2, height - LINE / 3, TRACE_SVG_START,
                   "Beside nodes: the tile that stays in fast memory, words x words",
                   &small);
    return trace_svg_to_text(svg);
}
