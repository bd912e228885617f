/* gridloom model time. */
#include "tools/gridloom/command.h"
#include "tools/gridloom/complaint.h"

int cmd_model_time(int argc, char **argv)
{
    (void) argc;
    (void) argv;
    (void) complain("model time: this model is not there yet");
    return EXIT_UNMODELLED;
}
