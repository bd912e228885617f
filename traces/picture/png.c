/* Renders PNG with librsvg and cairo. */
#include "traces/picture/png.h"

#include <gio/gio.h>
#include <librsvg/rsvg.h>
#include <math.h>
#include <string.h>

#include "sim/library.h"
#include "traces/error.h"
#include "traces/file/stream.h"

static struct {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): it declares the name */
#define PNG_FUNCTION(name) __typeof__(name) *name;
#include "traces/picture/png_functions.def"
#undef PNG_FUNCTION
} drawing;

static bool load_library(const char *path, GError **error)
{
    static const SimSymbol symbols[] = {
#define PNG_FUNCTION(name) {#name, &drawing.name},
#include "traces/picture/png_functions.def"
#undef PNG_FUNCTION
    };
    static const SimLibrary library = {
        .title = "librsvg",
        .file = RSVG_LIBRARY,
        .package = "librsvg2-2",
        .symbols = symbols,
        .symbol_count = G_N_ELEMENTS(symbols),
    };

    if (!sim_library_open(&library, error)) {
        g_prefix_error(error, "%s: cannot be drawn, ", path);
        return false;
    }
    return true;
}

static bool fail(GError **error, const char *path, const char *why)
{
    return sim_fail(error, TRACE_ERROR, TRACE_ERROR_WRITE, "%s: cannot be drawn, %s",
                    path, why);
}

static cairo_status_t
add_bytes(void *closure, const unsigned char *bytes, unsigned int count)
{
    trace_stream_bytes(closure, bytes, count);
    return CAIRO_STATUS_SUCCESS;
}

/* Pictures of ours are as large as libxml's limits for strangers' files, and larger. */
static RsvgHandle *load(const char *path, const char *svg, GError **error)
{
    g_autoptr(GInputStream) stream =
        g_memory_input_stream_new_from_data(svg, (gssize) strlen(svg), NULL);
    g_autoptr(GError) cause = NULL;
    RsvgHandle *handle = drawing.rsvg_handle_new_from_stream_sync(
        stream, NULL, RSVG_HANDLE_FLAG_UNLIMITED, NULL, &cause);

    if (handle == NULL) {
        (void) fail(error, path, cause->message);
    }
    return handle;
}

static cairo_surface_t *
draw(RsvgHandle *handle, const char *path, double scale, GError **error)
{
    RsvgRectangle area = {0};
    g_autoptr(GError) cause = NULL;
    cairo_surface_t *surface;
    cairo_t *cairo;
    bool is_drawn;

    (void) drawing.rsvg_handle_get_intrinsic_size_in_pixels(handle, &area.width,
                                                            &area.height);
    area.width = ceil(area.width * scale);
    area.height = ceil(area.height * scale);
    if (!(area.width >= 1 && area.width <= TRACE_PNG_SIDE_MAXIMUM && area.height >= 1 &&
          area.height <= TRACE_PNG_SIDE_MAXIMUM)) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_WRITE,
                    "%s: cannot be drawn, %.0f x %.0f pixels, 1 to %d are allowed; "
                    "choose another --scale, or SVG",
                    path, area.width, area.height, TRACE_PNG_SIDE_MAXIMUM);
        return NULL;
    }
    surface = drawing.cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int) area.width,
                                                 (int) area.height);
    cairo = drawing.cairo_create(surface);
    drawing.cairo_set_source_rgb(cairo, 1, 1, 1);
    drawing.cairo_paint(cairo);
    is_drawn = drawing.rsvg_handle_render_document(handle, cairo, &area, &cause) &&
               drawing.cairo_status(cairo) == CAIRO_STATUS_SUCCESS;
    drawing.cairo_destroy(cairo);
    if (!is_drawn) {
        (void) fail(error, path, cause != NULL ? cause->message : "too little memory");
        g_clear_pointer(&surface, drawing.cairo_surface_destroy);
    }
    return surface;
}

bool trace_png_write(const char *path, const char *svg, double scale, GError **error)
{
    RsvgHandle *handle = load_library(path, error) ? load(path, svg, error) : NULL;
    g_autoptr(TraceStream) stream = NULL;
    cairo_surface_t *surface = handle != NULL ? draw(handle, path, scale, error) : NULL;
    bool is_written;

    g_clear_object(&handle);
    if (surface == NULL) {
        return false;
    }
    stream = trace_stream_open(path, error);
    is_written = stream != NULL &&
                 (drawing.cairo_surface_write_to_png_stream(
                      surface, add_bytes, stream) == CAIRO_STATUS_SUCCESS ||
                  fail(error, path, "too little memory")) &&
                 trace_stream_close(stream, error);
    drawing.cairo_surface_destroy(surface);
    return is_written;
}
