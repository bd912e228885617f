/* gridloom model energy. */
#include "tools/gridloom/command.h"
#include "tools/gridloom/complaint.h"

int cmd_model_energy(int argc, char **argv)
{
    (void) argc;
    (void) argv;
    (void) complain("model energy: this model is not there yet");
    return EXIT_UNMODELLED;
}
