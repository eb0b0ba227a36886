#define EXACTILE_ISA avx2
#include "kernels_isa.hpp"
