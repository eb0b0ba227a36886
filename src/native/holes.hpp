// Whether a form encloses units of its lattice that do not belong to it.

#pragma once

#include <cstdint>

#include "grow.hpp"

namespace exactile {

// `points` holds order * d numbers. Throws std::length_error if the form is too large.
bool encloses_units(const GrowthLattice& lattice, const std::int64_t* points, std::size_t order);

}  // namespace exactile
