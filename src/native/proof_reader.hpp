// Reads formulas and proofs, line by line, and refuses anything else.

#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <istream>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proof_checker.hpp"

namespace exactile::proof {

using Literal = std::uint32_t;  // 2 v for the variable v, 2 v + 1 for its negation
using Clause = std::vector<Literal>;
using Literals = std::vector<std::int64_t>;
using Pulse = std::function<void()>;

constexpr std::int64_t kMostVariables = 1 << 25;

inline Literal negation(Literal literal) { return literal ^ 1; }

// Words and numbers, line by line.
class Reader {
public:
    Reader(std::istream& stream, std::string name, const Pulse& pulse)
        : stream_(stream), name_(std::move(name)), pulse_(pulse), buffer_(1 << 16) {}

    [[noreturn]] void refuse(const std::string& what) const {
        throw ProofRefused(name_ + "line " + std::to_string(line_) + ": " + what);
    }

    // Go to the next line that is neither empty nor a comment; false at the end.
    bool next_line() {
        for (;; ++line_) {
            skip_blanks();
            if (peek() == 'c')
                while (peek() != '\n' && peek() != kEnd) ++at_;
            if (peek() == kEnd) return false;
            if (peek() != '\n') return true;
            ++at_;
        }
    }

    void end_line() {
        skip_blanks();
        if (peek() != '\n' && peek() != kEnd) refuse("something follows where the line should end");
    }

    // Whether this word is next; then it is read.
    bool word(std::string_view wanted) {
        skip_blanks();
        if (peek() != wanted[0]) return false;
        for (const char sign : wanted) {
            if (peek() != sign) refuse("an unknown word");
            ++at_;
        }
        if (!std::isspace(peek())) refuse("an unknown word");
        return true;
    }

    std::int64_t number(const char* what) {
        skip_blanks();
        if (peek() == kEnd || peek() == '\n')
            refuse(std::string("the line ends where there should be ") + what);
        const bool negative = peek() == '-';
        if (negative) ++at_;
        if (!is_digit(peek())) refuse(std::string("something else than ") + what);
        std::int64_t value = 0;
        for (; is_digit(peek()); ++at_) {
            value = 10 * value + (peek() - '0');
            if (value > std::numeric_limits<std::int64_t>::max() / 16) refuse("a huge number");
        }
        if (peek() != kEnd && !std::isspace(peek())) refuse("a sign that belongs to no number");
        if (negative && value == 0) refuse("-0 is not a number");
        return negative ? -value : value;
    }

    Literal literal(std::int64_t number, std::int64_t variables) const {
        if (number == 0 || std::abs(number) > variables)
            refuse("there is no literal " + std::to_string(number) + ": the formula has " +
                   std::to_string(variables) + " variables");
        return static_cast<Literal>(2 * std::abs(number) + (number < 0));
    }

    // Read literals up to a 0.
    void clause(Clause& clause, std::int64_t variables) {
        clause.clear();
        while (const std::int64_t number = this->number("a literal or the closing 0")) {
            clause.push_back(literal(number, variables));
            if (clause.size() > 2 * static_cast<std::size_t>(variables))
                refuse("more literals than there are");
        }
    }

private:
    static constexpr int kEnd = -1;

    static bool is_digit(int sign) { return sign >= '0' && sign <= '9'; }

    int peek() {
        if (at_ == size_) fill();
        return at_ == size_ ? kEnd : static_cast<unsigned char>(buffer_[at_]);
    }

    void fill() {
        at_ = size_ = 0;
        pulse_();
        if (stream_.eof()) return;
        stream_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
        if (!stream_ && !stream_.eof()) refuse("the file cannot be read");
        size_ = static_cast<std::size_t>(stream_.gcount());
    }

    void skip_blanks() {
        while (peek() == ' ' || peek() == '\t' || peek() == '\r') ++at_;
    }

    std::istream& stream_;
    std::string name_;
    const Pulse& pulse_;
    std::vector<char> buffer_;
    std::size_t at_ = 0;
    std::size_t size_ = 0;
    std::uint64_t line_ = 1;
};

struct Header {
    std::int64_t variables = 0;
    std::int64_t clauses = 0;
};

inline Header read_header(Reader& in) {
    if (!in.next_line() || !in.word("p") || !in.word("cnf"))
        in.refuse("there is no header 'p cnf VARIABLES CLAUSES'");
    Header header;
    header.variables = in.number("the number of variables");
    header.clauses = in.number("the number of clauses");
    in.end_line();
    if (header.variables < 0 || header.variables > kMostVariables)
        in.refuse("there can be 0 to " + std::to_string(kMostVariables) + " variables");
    return header;
}

// Hand the clauses of a formula to `take`, and behind them the assumed literals as clauses.
template <typename Take>
void read_clauses(Reader& in, const Header& header, const Literals& assumed, const Take& take) {
    Clause clause;
    std::int64_t count = 0;
    for (; in.next_line(); ++count) {
        in.clause(clause, header.variables);
        in.end_line();
        take(clause);
    }
    if (count != header.clauses)
        in.refuse("the formula has " + std::to_string(count) + " clauses, by its header " +
                  std::to_string(header.clauses));
    for (const std::int64_t number : assumed) {
        clause = {in.literal(number, header.variables)};
        take(clause);
    }
}

// Sort a clause and drop repeated literals; false if it has both x and -x, so that it always holds.
inline bool normalize(Clause& clause) {
    std::sort(clause.begin(), clause.end());
    clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
    const auto opposite = [](Literal a, Literal b) { return b == negation(a); };
    return std::adjacent_find(clause.begin(), clause.end(), opposite) == clause.end();
}

}  // namespace exactile::proof
