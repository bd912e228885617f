/* What a schema consists of, for those who check values with it. */
#pragma once

#include "traces/schema/schema.h"

struct TraceSchema {
    JsonNode *root;
    JsonObject *definitions; /* of `root`; NULL: none */
};
