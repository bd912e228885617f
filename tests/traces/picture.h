/* A picture read back from its SVG, for tests of what draws. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* A shape of the picture. */
typedef struct {
    char *group; /* the class around it */
    char *fill;
    char *title;
    double x; /* of a rectangle */
    double y;
} PictureShape;

/* What a picture holds. */
typedef struct {
    GPtrArray *shapes;
    GPtrArray *texts;
    GPtrArray *classes; /* of open groups; "" for none */
    PictureShape *open;
    bool is_text;
    bool is_title;
    guint window_count;
    double width;
    double height;
} Picture;

/* Fails the test where the text is no XML. */
Picture picture_read(const char *text);
void picture_clear(Picture *self);

/* Shapes right inside groups of a class. */
guint picture_count(const Picture *self, const char *css_class);

/* Shapes with a title. */
guint picture_count_titles(const Picture *self);

/* The first shape of that title; fails the test where there is none. */
const PictureShape *picture_titled(const Picture *self, const char *title);

/* Is there a text of these words? */
bool picture_says(const Picture *self, const char *words);
