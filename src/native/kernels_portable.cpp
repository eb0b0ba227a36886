#define EXACTILE_ISA portable
#include "kernels_isa.hpp"
