/* A user's function that chooses the way of every packet at every router. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/noc_routes.h"
#include "workloads/network/survey.h"

/* Lets packets ask choose(x, y, tx, ty, free, grid) of the open file. Takes the survey,
 * which is then empty, and keeps it as long as the routes. Fails with WL_ERROR_SYNTAX
 * if that is not a function. */
bool choice_attach(Survey *survey, ArchNocRoutes *routes, GError **error);
