/* Vector operations on rows of f32 numbers: arch/wse/program/operation.h's WseRowFunc.
 * The same bits as element by element. */
#pragma once

#include <stdint.h>

void wse_row_mov(uint8_t *destination, const uint8_t *const *sources, uint32_t count);
void wse_row_add(uint8_t *destination, const uint8_t *const *sources, uint32_t count);
void wse_row_sub(uint8_t *destination, const uint8_t *const *sources, uint32_t count);
void wse_row_mul(uint8_t *destination, const uint8_t *const *sources, uint32_t count);
void wse_row_mac(uint8_t *destination, const uint8_t *const *sources, uint32_t count);
void wse_row_max(uint8_t *destination, const uint8_t *const *sources, uint32_t count);
void wse_row_neg(uint8_t *destination, const uint8_t *const *sources, uint32_t count);
void wse_row_abs(uint8_t *destination, const uint8_t *const *sources, uint32_t count);
