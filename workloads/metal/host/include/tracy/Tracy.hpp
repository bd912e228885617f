// Marks for a profiler of host programs, which is not here: they do nothing.
#pragma once

#define ZoneScoped
#define ZoneScopedN(name)
#define ZoneScopedC(color)
#define ZoneScopedNC(name, color)
#define ZoneText(text, size)
#define ZoneName(text, size)
#define FrameMark
#define TracyMessageL(text)
