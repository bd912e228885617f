/* gridloom model chain. */
#include "tools/gridloom/command.h"
#include "tools/gridloom/complaint.h"

int cmd_model_chain(int argc, char **argv)
{
    (void) argc;
    (void) argv;
    (void) complain("model chain: this model is not there yet");
    return EXIT_UNMODELLED;
}
