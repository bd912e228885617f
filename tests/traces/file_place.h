/* A place for one file, for tests of what is written and read: setup and teardown. */
#pragma once

typedef struct {
    char *folder; /* of its own */
    char *path;   /* result.json in it, which is not there yet */
} FilePlace;

/* The test's state is the place. */
int file_place_make(void **state);
/* With the file, if there is one; nothing else may be left in the folder. */
int file_place_remove(void **state);
