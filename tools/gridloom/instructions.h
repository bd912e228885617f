/* Whether the host's processor has the instructions that this program is made of. */
#pragma once

/* The first set of them that it lacks; NULL: none. */
const char *instructions_lacking(void);
