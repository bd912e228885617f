/* Instructions of the machine; what it refuses is reported. */
#pragma once

#include "workloads/csl/code/generator.h"

ArchWseOperand csl_operand(CslGenerator *self, CslNumber number, ArchWseType type);
guint csl_new_register(CslGenerator *self, const char *name, int32_t value);
void csl_emit_at(CslGenerator *self, CslPlace place);
void csl_emit_operate(CslGenerator *self,
                      const char *name,
                      ArchWseType type,
                      guint to,
                      CslNumber a,
                      CslNumber b);
void csl_emit_convert(
    CslGenerator *self, ArchWseType from, ArchWseType into, guint to, CslNumber number);
void csl_emit_load(CslGenerator *self,
                   ArchWseType type,
                   guint to,
                   const CslCodeSpot *from);
void csl_emit_store(CslGenerator *self,
                    ArchWseType type,
                    CslNumber number,
                    const CslCodeSpot *to);
guint csl_emit_label(CslGenerator *self);
void csl_emit_place(CslGenerator *self, guint label);
void csl_emit_jump(CslGenerator *self, guint label);
void csl_emit_jump_if(CslGenerator *self, CslNumber number, bool is_zero, guint label);
void csl_check(CslGenerator *self, bool is_well, GError **error);
