// Weights of columns under which every row weighs 0 modulo a prime power q.
//
// A weight is a sum of generators. At first every column has a generator of its own. A row whose
// sum is not 0 eliminates one of its generators, that of least valuation: it is replaced by a sum
// of the others and, if it has no inverse, a multiple of itself. The weights of columns are not
// rewritten then: a generator stores its replacement, and shortens it when it is next used, as in
// union-find. So a chessboard takes two terms for each cell, and rows in the order of the region
// touch only what lies near.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search.hpp"

namespace exactile {

class Weights {
public:
    // Row r has the columns members[first[r]] to members[first[r + 1]]; `totals` is how often a
    // solution has each column. Throws std::invalid_argument if the arrays are wrong.
    Weights(std::uint32_t q, std::vector<std::int64_t> first, std::vector<Index> members,
            const std::vector<std::int64_t>& totals);

    // Take further rows into account until all are, no generator weighs a solution any more, or
    // `seconds` are over.
    void run(double seconds);

    bool finished() const { return row_ + 1 >= first_.size() || weighing_ == 0; }
    bool exist() const { return weighing_ > 0; }  // whether some generator weighs a solution
    std::size_t columns() const { return used_.size(); }
    std::size_t generators() const { return generators_; }
    std::size_t bytes() const { return bytes_; }

    // The weight of each column under each generator, and in the last row that of a solution; row
    // by row.
    std::vector<std::int64_t> dense();

    // The weight of each column under the first generator that weighs a solution; all 0 if there is
    // none.
    std::vector<std::int64_t> one();

private:
    struct Term {
        std::uint32_t generator;
        std::uint32_t times;
    };
    using Sum = std::vector<Term>;

    void take_row();
    void add(std::uint32_t generator, std::uint64_t times);
    Sum taken();
    bool is_settled(std::uint32_t generator) const;
    void settle(std::uint32_t generator);
    void assign(std::uint32_t generator, Sum&& sum);
    void cut(const Sum& row);
    void weigh_solution(std::uint32_t column, std::uint64_t weight);

    std::uint64_t q_;
    std::vector<std::int64_t> first_;
    std::vector<Index> members_;
    std::size_t row_ = 0;
    std::vector<std::uint64_t> solution_;  // what the generator of each column weighs a solution
    std::size_t weighing_ = 0;             // how many of these are not 0
    std::size_t generators_;
    std::size_t bytes_ = 0;

    // Of each generator its column, whether it was replaced, and by what.
    std::vector<std::uint32_t> column_;
    std::vector<char> replaced_;
    std::vector<Sum> meaning_;

    // Of each column its generator that is in use, and the sum that is being made.
    std::vector<std::uint32_t> used_;
    std::vector<std::uint64_t> value_;
    std::vector<std::uint32_t> touched_;
    std::vector<char> is_touched_;
    std::vector<std::uint32_t> waiting_;  // generators that are being settled
};

}  // namespace exactile
