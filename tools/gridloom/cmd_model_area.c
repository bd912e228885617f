/* gridloom model area. */
#include "tools/gridloom/command.h"
#include "tools/gridloom/complaint.h"

int cmd_model_area(int argc, char **argv)
{
    (void) argc;
    (void) argv;
    (void) complain("model area: this model is not there yet");
    return EXIT_UNMODELLED;
}
