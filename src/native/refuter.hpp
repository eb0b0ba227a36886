// A search for all solutions of an exact-cover problem that writes down why there are no others.
//
// The proof is a text in DRUP format. It belongs to a formula that others write: a variable for
// each option; clauses by which unit propagation sees, for every item, that its lower bound cannot
// be met or is met only by all options left, and that its upper bound is reached; one literal
// -variable for each option that was excluded from the start, +variable for each that was chosen;
// and for each solution found a clause that forbids it. This search concludes nothing at a node
// that unit propagation on that formula does not see.
//
// At a node an option is tried (a decision), and what follows is taken along. If that fails, the
// failure depends on some of the decisions that led there. The lemma says: not all of these. Then,
// one level higher, the option tried last is excluded, the reason being the lemma, and the search
// goes on there; so the last option of an item is never tried but follows. A lemma is deleted as
// soon as its level is left. A failure without decisions ends the search, with the empty lemma.

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
    bool pinned = true;  // solutions are forbidden by their options alone, not also by all others
    bool reduce = true;  // lemmas name only the decisions that matter
};

class Refuter {
public:
    explicit Refuter(RefuterTask task);  // throws std::invalid_argument if it makes no sense

    // Search on until it is finished, `seconds` are over, or `bytes` of the proof are waiting.
    void run(double seconds, std::size_t bytes);

    std::string take_text();  // what was written since the last call
    Paths take_solutions();

    bool finished() const { return finished_; }
    std::uint64_t nodes() const { return nodes_; }
    std::uint64_t lemmas() const { return lemmas_; }
    std::uint64_t literals() const { return literals_; }

private:
    enum class Reason : std::uint8_t { kGiven, kDecision, kItem, kLemma };

    struct Step {
        Index option;
        Index item;  // for kItem: the item of which it follows
        Reason reason;
    };

    using Member = std::int64_t;  // a place in cover.members
    using Options = std::vector<Index>;

    std::size_t level() const { return starts_.size(); }
    bool is_open(Index option) const { return state_[option] == 0; }
    bool is_chosen(Index option) const { return state_[option] > 0; }

    void arrange();
    void assign(Index option, bool chosen, Reason reason, Index item = -1);
    void go_back(std::size_t level);
    bool settle(Index item);
    bool settle_all();
    bool propagate();
    Index next_option() const;
    Index first_live(Index item) const;

    void note_solution();
    void mark(Index option);
    void mark_decided(Index item, bool chosen, std::size_t before);
    void mark_failure();
    void mark_solution();
    Options decisions_marked();
    void learn(Options decisions);
    void write(const char* prefix, const Options& lemma);

    RefuterTask task_;
    std::vector<Index> owner_;     // of a member, the option
    std::vector<Member> of_item_;  // the members of each item: first those of open options
    std::vector<std::size_t> item_first_;
    std::vector<std::size_t> place_;  // of a member in of_item_
    std::vector<Index> live_;         // open options of an item
    std::vector<Index> used_;         // chosen options of an item
    std::vector<Index> first_used_;   // the first of them

    std::vector<std::int8_t> state_;     // of an option: 1 chosen, -1 excluded, 0 open
    std::vector<std::size_t> position_;  // on the trail
    std::vector<Step> trail_;
    std::vector<std::size_t> starts_;  // where levels 1, 2, ... begin
    std::size_t done_ = 0;             // so much of the trail is propagated
    std::vector<Options> kept_;        // lemmas that excluded an option on the trail, in order
    Index failed_ = -1;                // the item at which propagation failed

    std::vector<bool> marked_;
    std::size_t marks_ = 0;

    std::string text_;
    Paths solutions_;
    bool settled_ = false;
    bool finished_ = false;
    std::uint64_t nodes_ = 0, lemmas_ = 0, literals_ = 0;
};

}  // namespace exactile
