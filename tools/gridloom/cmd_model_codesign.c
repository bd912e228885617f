/* gridloom model codesign. */
#include "tools/gridloom/command.h"
#include "tools/gridloom/complaint.h"

int cmd_model_codesign(int argc, char **argv)
{
    (void) argc;
    (void) argv;
    (void) complain("model codesign: this model is not there yet");
    return EXIT_UNMODELLED;
}
