/* Draws trees. */
#include "traces/picture/tree.h"

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
    const TraceTree *tree;
    TraceSvg *svg;
    double left;    /* of the first leaf */
    guint *depths;  /* of nodes */
    bool *are_left; /* children of their parents */
    guint depth;    /* of the deepest leaf */
} Drawing;

static void find_depths(Drawing *self)
{
    const TraceTree *tree = self->tree;

    for (guint i = tree->node_count; i-- > 0;) {
        const guint children[] = {tree->nodes[i].left, tree->nodes[i].right};

        self->depth = MAX(self->depth, self->depths[i] + 1);
        for (guint k = 0; k < G_N_ELEMENTS(children); k++) {
            if (children[k] != TRACE_TREE_LEAF) {
                self->depths[children[k]] = self->depths[i] + 1;
                self->are_left[children[k]] = k == 0;
            }
        }
    }
}

/* In the middle of its leaves. */
static TraceSvgPoint place(const Drawing *self, guint first, guint last, guint depth)
{
    return (TraceSvgPoint){
        self->left + LEAF_WIDTH * ((double) (first + last) / 2 - 1),
        TOP + LEVEL * depth,
    };
}

static TraceSvgPoint place_node(const Drawing *self, guint node)
{
    const TraceTreeNode *at = &self->tree->nodes[node];

    return place(self, at->first, at->last, self->depths[node]);
}

/* The child of a node: another node, or a leaf. */
static TraceSvgPoint
place_child(const Drawing *self, guint parent, guint node, guint leaf)
{
    return node == TRACE_TREE_LEAF ? place(self, leaf, leaf, self->depths[parent] + 1)
                                   : place_node(self, node);
}

static void
draw_edge(const Drawing *self, guint parent, guint node, guint leaf, bool is_bold)
{
    const TraceSvgPoint from = place_node(self, parent);
    const TraceSvgPoint to = place_child(self, parent, node, leaf);
    const TraceSvgLook look = {.css_class = is_bold ? "chain-fused" : "chain-edge"};

    trace_svg_line(self->svg, from.x, from.y, to.x, to.y, &look);
}

static void draw_leaf(const Drawing *self, guint parent, guint node, guint leaf)
{
    const TraceSvgPoint at = place_child(self, parent, node, leaf);
    const TraceTreeLeaf *words = &self->tree->leaves[leaf - 1];

    if (node != TRACE_TREE_LEAF) {
        return;
    }
    trace_svg_rect(self->svg, at.x - RADIUS, at.y - RADIUS, 2 * RADIUS, 2 * RADIUS,
                   &(TraceSvgLook){.css_class = "chain-leaf"});
    trace_svg_text(self->svg, at.x, at.y + RADIUS + LINE, TRACE_SVG_MIDDLE, words->name,
                   NULL);
    trace_svg_text(self->svg, at.x, at.y + RADIUS + 2 * LINE, TRACE_SVG_MIDDLE,
                   words->note, &(TraceSvgLook){.css_class = "chain-small"});
}

/* Words above the circle, on the side where the edge to its parent is not. */
static void draw_node(const Drawing *self, guint node)
{
    const TraceTreeNode *at = &self->tree->nodes[node];
    const TraceSvgPoint point = place_node(self, node);
    const bool is_left = self->are_left[node];
    const TraceSvgAnchor anchor = is_left ? TRACE_SVG_END : TRACE_SVG_START;
    const double x = point.x + (is_left ? -RADIUS : RADIUS) * 3 / 2;

    trace_svg_circle(self->svg, point.x, point.y, RADIUS,
                     &(TraceSvgLook){
                         .css_class = at->is_hollow ? "chain-inside" : "chain-node",
                         .title = at->title,
                     });
    trace_svg_text(self->svg, x, point.y - 4 * LINE / 3, anchor, at->name, NULL);
    trace_svg_text(self->svg, x, point.y - LINE / 3, anchor, at->note,
                   &(TraceSvgLook){.css_class = "chain-small"});
}

static void draw(const Drawing *self)
{
    const TraceTree *tree = self->tree;

    for (guint i = 0; i < tree->node_count; i++) {
        const TraceTreeNode *at = &tree->nodes[i];

        draw_edge(self, i, at->left, at->first, at->bold == TRACE_TREE_LEFT);
        draw_edge(self, i, at->right, at->last, at->bold == TRACE_TREE_RIGHT);
    }
    for (guint i = 0; i < tree->node_count; i++) {
        const TraceTreeNode *at = &tree->nodes[i];

        draw_leaf(self, i, at->left, at->first);
        draw_leaf(self, i, at->right, at->last);
        draw_node(self, i);
    }
}

static void draw_notes(const Drawing *self, double height)
{
    const TraceSvgLook small = {.css_class = "chain-small"};

    trace_svg_line(self->svg, MARGIN / 2, height - LINE * 1.6, MARGIN / 2 + LINE * 2,
                   height - LINE * 1.6, &(TraceSvgLook){.css_class = "chain-fused"});
    trace_svg_text(self->svg, MARGIN / 2 + LINE * 2.6, height - LINE * 1.3,
                   TRACE_SVG_START, self->tree->bold_note, &small);
    trace_svg_text(self->svg, MARGIN / 2, height - LINE / 3, TRACE_SVG_START,
                   self->tree->note, &small);
}

/* NOTE: The classes bear the name of what was first drawn. */
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

char *trace_tree_to_svg(const TraceTree *self)
{
    const double wide = LEAF_WIDTH * (self->leaf_count - 1) + 2 * MARGIN;
    g_autofree guint *depths = g_new0(guint, self->node_count);
    g_autofree bool *are_left = g_new0(bool, self->node_count);
    Drawing drawing = {.tree = self, .depths = depths, .are_left = are_left};

    find_depths(&drawing);
    const double width =
        MAX(wide, MAX(LEAST, trace_svg_text_width(self->title, LETTER) + MARGIN));
    const double height = TOP + LEVEL * drawing.depth + BOTTOM + 2 * LINE;
    g_autoptr(TraceSvg) svg = trace_svg_new(width, height, self->title);

    drawing.svg = svg;
    drawing.left = MARGIN + (width - wide) / 2;
    add_styles(svg);
    trace_svg_text(svg, MARGIN / 2, LINE * 2, TRACE_SVG_START, self->title,
                   &(TraceSvgLook){.css_class = "chain-title"});
    draw(&drawing);
    draw_notes(&drawing, height);
    return trace_svg_to_text(svg);
}
