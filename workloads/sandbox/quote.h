/* A user's own words inside an error line: short, on one line, printable. */
#pragma once

/* At most some 60 characters of `text`; control characters are shown as \n, \001 and
 * bytes that are not UTF-8 as a replacement character. The caller frees it. */
char *quote_word(const char *text);
