#include "assembly_turns.hpp"

#include <algorithm>
#include <cstdlib>

namespace exactile::assembly {

namespace {

// The part of a square in a quadrant, turned into the first one.
struct Rectangle {
    int x0, x1, y0, y1;
    bool empty() const { return x0 >= x1 || y0 >= y1; }
};

Rectangle part(Flat square, int quadrant) {
    for (; quadrant > 0; --quadrant) square = {square.v, -square.u};
    return {std::max(square.u - 1, 0), square.u + 1, std::max(square.v - 1, 0), square.v + 1};
}

// Whether a point of the first rectangle meets one of the second when it turns counter-clockwise
// up to the next axis or less: both at one distance r from the origin, the second not before it.
//
// At r, with R = r * r, an open rectangle in the first quadrant has the points with
// max(y0^2, R - x1^2) < y^2 < min(y1^2, R - x0^2), and y^2 grows with the angle. So there has to be
// an R at which both have points and the greatest y^2 of the second exceeds the least of the first.
bool behind(const Rectangle& first, const Rectangle& second) {
    const auto square = [](int c) { return c * c; };
    const int least =
        std::max({square(first.x0) + square(first.y0), square(second.x0) + square(second.y0),
                  square(second.x0) + square(first.y0)});
    const int most =
        std::min({square(first.x1) + square(first.y1), square(second.x1) + square(second.y1),
                  square(first.x1) + square(second.y1)});
    return second.y1 > first.y0 && second.x0 < first.x1 && least < most;
}

}  // namespace

// Quadrant by quadrant: a turning point reaches the points ahead of it in its own quadrant, and in
// the next quadrant those that are not beyond its final place.
bool meets(const Flat& turning, const Flat& resting) {
    for (int quadrant = 0; quadrant < 4; ++quadrant) {
        const Rectangle from = part(turning, quadrant);
        if (from.empty()) continue;
        const Rectangle here = part(resting, quadrant), next = part(resting, (quadrant + 1) % 4);
        if (!here.empty() && behind(from, here)) return true;
        if (!next.empty() && behind(next, from)) return true;
    }
    return false;
}

const std::vector<Flat>& Sweeps::of(const Flat& cell) {
    constexpr int kReach = 2 * kWidest;
    constexpr std::size_t kSide = 2 * kReach + 1;
    if (known_.empty()) known_.resize(kSide * kSide);
    std::vector<Flat>& found = known_[static_cast<std::size_t>(cell.u + kReach) * kSide +
                                      static_cast<std::size_t>(cell.v + kReach)];
    if (!found.empty()) return found;
    // No corner is farther from the axis than this; 3/2 exceeds the square root of 2.
    const int far = (std::max(std::abs(cell.u), std::abs(cell.v)) + 1) * 3 / 2 + 2;
    const int least = -far - (far + cell.u) % 2;
    for (int u = least; u <= far; u += 2)
        for (int v = least; v <= far; v += 2)
            if (meets(cell, {u, v})) found.push_back({(u - cell.u) / 2, (v - cell.v) / 2});
    return found;
}

Vec turned_box(int turn, const Vec& axis, const Vec& at, const Vec& size) {
    const int a = turn / 2, b = (a + 1) % kAxes, c = (a + 2) % kAxes;
    const int sum = (axis[b] + axis[c]) / 2, difference = (axis[c] - axis[b]) / 2;
    Vec result = at;
    if (turn % 2 == 0) {  // (x, y) to (p + q - y, q - p + x)
        result[b] = sum - (at[c] + size[c] - 1);
        result[c] = difference + at[b];
    } else {  // (x, y) to (p - q + y, p + q - x)
        result[b] = at[c] - difference;
        result[c] = sum - (at[b] + size[b] - 1);
    }
    return result;
}

Vec turned_cell(int turn, const Vec& cell, const Vec& size) {
    const int a = turn / 2, b = (a + 1) % kAxes, c = (a + 2) % kAxes;
    Vec result = cell;
    result[b] = turn % 2 == 0 ? size[c] - 1 - cell[c] : cell[c];
    result[c] = turn % 2 == 0 ? cell[b] : size[b] - 1 - cell[b];
    return result;
}

}  // namespace exactile::assembly
