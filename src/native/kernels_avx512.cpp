#define EXACTILE_ISA avx512
#include "kernels_isa.hpp"
