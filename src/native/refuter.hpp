// A search for all solutions of an exact-cover problem that writes down why there are no others.
//
// The proof is a text in DRUP format. It belongs to a formula that the caller writes: a variable
// for each option; clauses by which unit propagation finds, for every item, that its lower bound
// cannot be met or is met only by all options left, and that its upper bound is reached; a unit
// clause -variable for each option that was excluded from the start, +variable for each that was
// chosen; and for each solution found a clause that forbids it. This search concludes nothing at a
// node that unit propagation on that formula does not find.
//
// At a node an option is tried (a decision), with all that follows by propagation. When that has
// failed or its subtree has been searched, the lemma says: not all of the decisions that led there.
// One level higher the lemma excludes the option tried last, with all that follows, and the search
// continues there; so the last option of an item is never tried. A lemma is deleted when its level
// is left. In the end no decision is left, and the lemma is the empty clause.
//
// Lemmas that leave out decisions which do not matter were tried: they made the search twice as
// long and the proofs of polyform puzzles hardly shorter (by 1 % at most).

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cover.hpp"
#include "search.hpp"

namespace exactile {

struct RefuterTask {
    Cover cover;                   // without colors
    std::vector<Index> variables;  // of each option, from 1 on
    std::vector<Index> excluded;   // options not to be taken
    std::vector<Index> chosen;     // options to be taken
};

class Refuter {
public:
    explicit Refuter(RefuterTask task);  // throws std::invalid_argument if it makes no sense

    // Search on until it is finished, `seconds` are over, or `most_text` bytes of the proof wait.
    void run(double seconds, std::size_t most_text);

    std::string take_text();  // what was written since the last call
    Paths take_solutions();

    bool finished() const { return finished_; }
    std::uint64_t nodes() const { return nodes_; }
    std::uint64_t lemmas() const { return lemmas_; }

private:
    using Member = std::int64_t;  // a place in cover.members

    struct Step {
        Index option;
        bool by_lemma;  // excluded by a lemma
    };

    bool is_open(Index option) const { return state_[option] == 0; }
    bool is_chosen(Index option) const { return state_[option] > 0; }

    void arrange();
    void assign(Index option, bool chosen, bool by_lemma = false);
    void undo_level();
    bool settle(Index item);
    bool settle_all();
    bool propagate();
    Index first_live(Index item) const;
    Index next_option() const;
    void note_solution();
    void write_lemma(const char* prefix, Index last);
    void leave();

    RefuterTask task_;
    std::vector<Index> owner_;     // of a member, the option
    std::vector<Member> of_item_;  // the members of each item: first those of open options
    std::vector<std::size_t> item_first_;
    std::vector<std::size_t> place_;  // of a member in of_item_
    std::vector<Index> live_;         // open options of an item
    std::vector<Index> used_;         // chosen options of an item

    std::vector<std::int8_t> state_;   // of an option: 1 chosen, -1 excluded, 0 open
    std::vector<Step> trail_;          // options that are not open, in the order of time
    std::vector<std::size_t> starts_;  // where levels 1, 2, ... begin, each with its decision
    std::size_t done_ = 0;             // length of the propagated trail

    std::string text_;
    Paths solutions_;
    bool settled_ = false;
    bool finished_ = false;
    std::uint64_t nodes_ = 0;
    std::uint64_t lemmas_ = 0;
};

}  // namespace exactile
