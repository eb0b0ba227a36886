#include "peg_board.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace exactile {

static constexpr int kMostHoles = 64;

static Position bit(int hole) { return Position{1} << hole; }

PegBoard::PegBoard(int holes, const std::vector<int>& jumps, const std::vector<int>& symmetries)
    : holes_(holes) {
    if (holes < 1 || holes > kMostHoles)
        throw std::invalid_argument("a board has 1 to 64 holes here");
    const auto n = static_cast<std::size_t>(holes);
    const auto on_board = [&](int hole) { return 0 <= hole && hole < holes; };
    if (jumps.size() % 3 != 0 || !std::all_of(jumps.begin(), jumps.end(), on_board))
        throw std::invalid_argument("a jump is three holes of the board");
    for (std::size_t j = 0; j < jumps.size(); j += 3) {
        const int from = jumps[j], over = jumps[j + 1], to = jumps[j + 2];
        if (from == over || over == to || from == to)
            throw std::invalid_argument("the three holes of a jump are different");
        const Position before = bit(from) | bit(over);
        jumps_.push_back({before | bit(to), before, from, to});
    }
    if (symmetries.empty() || symmetries.size() % n != 0)
        throw std::invalid_argument("a symmetry has an image for each hole");
    for (std::size_t s = 0; s < symmetries.size(); s += n) {
        const std::vector<int> moved(&symmetries[s], &symmetries[s] + n);
        Position all = 0;
        for (const int hole : moved)
            if (on_board(hole)) all |= bit(hole);
        if (std::popcount(all) != holes)
            throw std::invalid_argument("a symmetry is a permutation of the holes");
        std::vector<std::array<Position, 256>> tables((n + 7) / 8);
        for (std::size_t h = 0; h < n; ++h)
            for (std::size_t byte = 0; byte < 256; ++byte)
                if (byte >> h % 8 & 1) tables[h / 8][byte] |= bit(moved[h]);
        images_.push_back(std::move(tables));
        moved_.emplace_back(moved.begin(), moved.end());
    }
}

void PegBoard::require(Position p) const {
    if (p == 0 || (holes_ < kMostHoles && p >> holes_ != 0))
        throw std::invalid_argument("a position has pegs, all of them on the board");
}

void PegBoard::canonical(Position& p, std::uint8_t& hole) const {
    const Position position = p;
    const std::uint8_t marked = hole;
    for (std::size_t s = 1; s < images_.size(); ++s) {
        const auto candidate = std::pair(image(position, s), moved_[s][marked]);
        if (candidate < std::pair(p, hole)) std::tie(p, hole) = candidate;
    }
}

MoveWalk::MoveWalk(const PegBoard& board, bool backwards)
    : jumps_(static_cast<std::size_t>(board.holes())) {
    for (const Jump& jump : board.jumps()) {
        const Jump step = backwards ? jump.reversed() : jump;
        jumps_[static_cast<std::size_t>(step.from)].push_back(step);
    }
}

void MoveWalk::begin(Position p, int most_jumps) {
    start_ = p;
    most_ = static_cast<std::size_t>(std::max(most_jumps, 0));
    untried_ = most_ == 0 ? 0 : p;
    steps_.clear();
}

bool MoveWalk::next(Position& result) {
    for (;;) {
        if (steps_.empty()) {
            if (untried_ == 0) return false;
            steps_.push_back({start_, std::countr_zero(untried_), 0});
            untried_ &= untried_ - 1;
        }
        Step& step = steps_.back();
        const std::vector<Jump>& jumps = jumps_[static_cast<std::size_t>(step.hole)];
        while (step.k < jumps.size() && !jumps[step.k].allowed(step.p)) ++step.k;
        if (step.k == jumps.size() || steps_.size() > most_) {
            steps_.pop_back();
            continue;
        }
        const Jump& jump = jumps[step.k++];
        result = jump.after(step.p);
        steps_.push_back({result, jump.to, 0});
        return true;
    }
}

}  // namespace exactile
