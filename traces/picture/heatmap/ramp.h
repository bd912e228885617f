/* A colour ramp that readers with colour blindness can order, too. */
#pragma once

#define HEAT_COLOUR_SIZE 8

/* Writes #rrggbb for a value of 0..1; darker is more, everywhere. Values outside get
 * the colour of the nearest end. */
void heat_ramp_colour(double value, char colour[HEAT_COLOUR_SIZE]);
