package eval_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"

	"orbweaver/rdf"
)

const campus = "http://campus.example.org/"

// A campusMaker makes triples of universities in the proportions of the Lehigh University Benchmark (Guo, Pan and
// Heflin, LUBM, 2005): departments, their staff and students, courses and publications.
type campusMaker struct {
	r     *rand.Rand
	s     string
	left  int
	yield func(rdf.Quad, error) bool
	dept  string // the current department
}

// campusTriples returns n triples.
func campusTriples(n int) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		m := &campusMaker{r: rand.New(rand.NewPCG(3, 4)), left: n, yield: yield}
		for u := 0; m.left > 0; u++ {
			m.a(fmt.Sprintf("University%d", u), "University")
			for d := range m.between(15, 25) {
				m.department(u, d)
			}
		}
	}
}

// universities is about how many universities n triples have, at least 1.
func universities(n int) int { return max(1, n/125_000) }

func (m *campusMaker) between(low, high int) int { return low + m.r.IntN(high-low+1) }

// a begins a thing of a class.
func (m *campusMaker) a(name, class string) {
	m.s = name
	m.to("type", class)
}

func (m *campusMaker) to(p, o string) { m.say(p, rdf.NewIRI(campus+o)) }

func (m *campusMaker) say(p string, o rdf.Term) {
	if m.left--; m.left >= 0 && !m.yield(rdf.Quad{S: rdf.NewIRI(campus + m.s), P: rdf.NewIRI(campus + p), O: o}, nil) {
		m.left = 0
	}
}

// degree says where the current person has a degree from: any of the universities that there may be.
func (m *campusMaker) degree(p string) { m.to(p, fmt.Sprintf("University%d", m.r.IntN(50))) }

// person says what all persons have.
func (m *campusMaker) person() {
	m.say("name", rdf.NewString(m.s[strings.LastIndexByte(m.s, '_')+1:]))
	m.say("email", rdf.NewString(strings.ToLower(m.s)+"@"+m.dept+".example.org"))
	m.say("telephone", rdf.NewString(fmt.Sprintf("%03d-%07d", m.r.IntN(1000), m.r.IntN(10_000_000))))
}

func (m *campusMaker) department(u, d int) {
	m.dept = fmt.Sprintf("Department%d_%d", u, d)
	of := fmt.Sprintf("%d_%d_", u, d)
	m.a(m.dept, "Department")
	m.to("subOrganizationOf", fmt.Sprintf("University%d", u))
	for g := range m.between(10, 20) {
		m.a(fmt.Sprintf("Group%s%d", of, g), "ResearchGroup")
		m.to("subOrganizationOf", m.dept)
	}
	staff, courses := m.staff(of)
	graduates := m.between(3, 4) * staff / 2
	for i := range graduates {
		m.student(fmt.Sprintf("Graduate%s%d", of, i), "GraduateStudent", of, staff, courses, 3, 1)
		m.degree("undergraduateDegreeFrom")
		if m.r.IntN(5) == 0 {
			m.to("assistantOf", fmt.Sprintf("Course%s%d", of, m.r.IntN(courses)))
		}
	}
	for i := range m.between(8, 14) * staff {
		advised := 0
		if m.r.IntN(5) == 0 {
			advised = 1
		}
		m.student(fmt.Sprintf("Student%s%d", of, i), "UndergraduateStudent", of, staff, courses, 4, advised)
	}
}

// staff makes the professors of a department with their courses and publications, and returns how many of both there are.
func (m *campusMaker) staff(of string) (staff, courses int) {
	for _, rank := range []struct {
		class              string
		low, high, written int
	}{{"FullProfessor", 7, 10, 15}, {"AssociateProfessor", 10, 14, 10}, {"AssistantProfessor", 8, 11, 5}, {"Lecturer", 5, 7, 1}} {
		for range m.between(rank.low, rank.high) {
			name := fmt.Sprintf("Professor%s%d", of, staff)
			m.a(name, rank.class)
			m.person()
			m.to("worksFor", m.dept)
			m.degree("undergraduateDegreeFrom")
			m.degree("doctoralDegreeFrom")
			m.say("researchInterest", rdf.NewString(fmt.Sprintf("Research%d", m.r.IntN(30))))
			for range m.between(2, 4) {
				m.to("teacherOf", fmt.Sprintf("Course%s%d", of, courses))
				courses++
			}
			if staff == 0 {
				m.to("headOf", m.dept)
			}
			for i := range m.between(rank.written/2, rank.written) {
				m.a(fmt.Sprintf("Publication%s%d_%d", of, staff, i), "Publication")
				m.say("name", rdf.NewString(fmt.Sprintf("Publication%d", i)))
				m.to("author", name)
				if staff > 0 && m.r.IntN(3) == 0 {
					m.to("author", fmt.Sprintf("Professor%s%d", of, m.r.IntN(staff)))
				}
			}
			staff++
		}
	}
	for i := range courses {
		m.a(fmt.Sprintf("Course%s%d", of, i), []string{"Course", "GraduateCourse"}[i%2])
		m.say("name", rdf.NewString(fmt.Sprintf("Course%d", i)))
	}
	return staff, courses
}

func (m *campusMaker) student(name, class, of string, staff, courses, most, advised int) {
	m.a(name, class)
	m.person()
	m.to("memberOf", m.dept)
	for range m.between(1, most) {
		m.to("takesCourse", fmt.Sprintf("Course%s%d", of, m.r.IntN(courses)))
	}
	if advised > 0 {
		m.to("advisor", fmt.Sprintf("Professor%s%d", of, m.r.IntN(staff)))
	}
}

// campusQueries returns ten queries similar to the benchmark's, with the constants of the first department, and two
// that group.
func campusQueries() []benchQuery {
	return []benchQuery{
		{"21 graduates of a course", `SELECT ?x { ?x :type :GraduateStudent ; :takesCourse :Course0_1_5 }`},
		{"22 graduates where they studied before", `SELECT ?x ?y ?z { ?x :type :GraduateStudent ; :undergraduateDegreeFrom ?y ; :memberOf ?z . ?z :type :Department ; :subOrganizationOf ?y . ?y :type :University }`},
		{"23 publications of one professor", `SELECT ?x ?n { ?x :type :Publication ; :author :Professor0_1_2 ; :name ?n }`},
		{"24 professors of a department", `SELECT ?x ?n ?e ?t { ?x :worksFor :Department0_1 ; :type :FullProfessor ; :name ?n ; :email ?e ; :telephone ?t }`},
		{"25 students of one professor", `SELECT ?x ?y { :Professor0_1_2 :teacherOf ?y . ?x :takesCourse ?y ; :type :UndergraduateStudent }`},
		{"26 members of a university", `SELECT ?x ?y ?e { ?x :type :UndergraduateStudent ; :memberOf ?y ; :email ?e . ?y :type :Department ; :subOrganizationOf :University0 }`},
		{"27 students whom their advisors teach", `SELECT ?x ?y ?z { ?x :advisor ?y ; :takesCourse ?z . ?y :teacherOf ?z }`},
		{"28 students with an advisor of an interest", `SELECT ?s ?n ?e ?t ?d ?c { ?a :researchInterest "Research7" . ?s :advisor ?a ; :type :UndergraduateStudent ; :name ?n ; :email ?e ; :telephone ?t ; :memberOf ?d ; :takesCourse ?c }`},
		{"29 largest departments", `SELECT ?d (COUNT(?s) AS ?n) { ?s :memberOf ?d ; :type :UndergraduateStudent . ?d :subOrganizationOf ?u . ?u :type :University } GROUP BY ?d ORDER BY DESC(?n) ?d LIMIT 10`},
		{"30 publications by interest", `SELECT ?i (COUNT(DISTINCT ?p) AS ?n) { ?p :type :Publication ; :author ?a . ?a :researchInterest ?i ; :worksFor ?d } GROUP BY ?i ORDER BY DESC(?n) ?i`},
	}
}
