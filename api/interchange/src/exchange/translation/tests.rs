//! What is said of expressions, each proven on random answers elsewhere.

use super::*;
use crate::exchange::expression::{Reference, parse};

fn fields() -> Fields {
    let set =
        |multiple| Kind::Set { multiple, items: [("1", 1), ("2", 2)].map(|(code, number)| (code.to_owned(), Some(number.into()))).into() };
    let all = [
        ("a", Kind::Number),
        ("b", Kind::Number),
        ("s", set(false)),
        ("m", set(true)),
        ("c", Kind::Choice),
        ("y", Kind::Choice),
        ("t", Kind::Text),
        ("d", Kind::Date),
    ];
    let mut fields: Fields =
        all.map(|(name, kind)| (name.to_owned(), ExpressionField { code: name.to_owned(), kind, ..ExpressionField::default() })).into();
    fields.get_mut("y").unwrap().truths = Some(("yes".to_owned(), "no".to_owned()));
    fields
}

fn node(text: &str, dialect: Dialect) -> Result<Node, String> {
    let fields = fields();
    parse(text, dialect, &|reference| match reference {
        Reference::Name(name) if fields.contains_key(name) => Ok(name.clone()),
        Reference::Name(name) => Err(format!("nema polja „{name}”")),
        Reference::Own => Ok("a".to_owned()),
        Reference::Rows(..) => Err(String::new()),
        Reference::Path(path) => Err(format!("nema polja „{path}”")),
    })
}

fn shown(text: &str, dialect: Dialect) -> Result<String, String> {
    condition(&node(text, dialect)?, dialect, &fields(), Manner::Plain).map(|told| told.formula)
}

fn computed(text: &str, dialect: Dialect, manner: Manner) -> Result<String, String> {
    let node = node(text, dialect)?;
    let kind = kind_of(&node, &fields()).unwrap_or(ResultKind::Text);
    let kind = if dialect == Dialect::RedCap { ResultKind::Number } else { kind };
    calculation(&node, dialect, &fields(), manner, kind).map(|told| told.formula)
}

#[test]
fn conditions_of_xlsform_keep_what_blanks_mean() {
    for (source, formula) in [
        ("${a} > 5", "$(a) > 5"),
        ("${a} != 5", "isblank($(a)) or $(a) != 5"),
        ("not(${a} > 5)", "!(!isblank($(a)) and $(a) > 5)"),
        ("${t} != 'x'", "isblank($(t)) or $(t) != \"x\""),
        ("${t} != ''", "!isblank($(t))"),
        ("${s} = '2' and ${a} >= 18", "selected($(s), \"2\") and $(a) >= 18"),
        ("${s} != '2'", "!selected($(s), \"2\")"),
        ("selected(${m}, '1') or not(${y} = 'yes')", "selected($(m), \"1\") or !selected($(y), true)"),
        ("${y} = 'no'", "$(y) == 0"),
        ("not(${y} = 'no')", "!selected($(y), false)"),
        ("${a} = ${b}", "isblank($(a)) and isblank($(b)) or $(a) == $(b)"),
        ("${a} > ${b}", "$(a) > $(b)"),
        ("${d} >= date('2020-01-31') and ${d} <= today()", "$(d) >= \"2020-01-31\" and $(d) <= today()"),
        ("${d} >= today() - 30", "$(d) >= today() - 30"),
        ("(${a} > 1 or ${b} > 1) and ${a} < 9", "($(a) > 1 or $(b) > 1) and $(a) < 9"),
        ("${m} = '1'", "selected($(m), \"1\") and !anyof($(m), \"2\")"),
        ("count-selected(${m}) > 1", "selected($(m), \"1\") + selected($(m), \"2\") > 1"),
        (". < 5", "$(a) < 5"),
        ("contains(${t}, 'ab')", "contains($(t), \"ab\")"),
        ("not(contains(${t}, 'ab'))", "!(!isblank($(t)) and contains($(t), \"ab\"))"),
        ("string-length(${t}) = 3", "if(isblank($(t)), 0, length($(t))) == 3"),
    ] {
        assert_eq!(shown(source, Dialect::XlsForm).as_deref(), Ok(formula), "{source}");
    }
}

#[test]
fn calculations_of_xlsform_are_said() {
    for (source, formula) in [
        ("${a} + ${b}", "$(a) + $(b)"),
        ("round(${a} div (${b} * ${b}), 1)", "round($(a) / ($(b) * $(b)), 1)"),
        ("if(${a} >= 18, 1, 0)", "if(!isblank($(a)) and $(a) >= 18, 1, 0)"),
        ("if(${a} >= 18, 'adult', 'child')", "if(!isblank($(a)) and $(a) >= 18, \"adult\", \"child\")"),
        ("int(${a})", "if($(a) < 0, ceil($(a)), floor($(a)))"),
        ("int(abs(${a}))", "floor(abs($(a)))"),
        ("int(string-length(${t}) div 2)", "floor(if(isblank($(t)), 0, length($(t))) / 2)"),
        ("min(${a}, ${b})", "if(isblank($(a)) or isblank($(b)), null, min($(a), $(b)))"),
        ("coalesce(${a}, 7)", "if(isblank($(a)), 7, $(a))"),
        ("concat(${t}, ' ', ${y})", "join(\"\", $(t), \" \", if($(y), \"yes\", \"no\"))"),
        ("${y}", "if($(y), \"yes\", \"no\")"),
        ("${s} + ${s}", "$!(s) + $!(s)"),
        ("date(${d} + 28)", "$(d) + 28"),
        ("decimal-date-time(today()) - decimal-date-time(${d})", "today() - $(d)"),
        ("${a} > 5", "!isblank($(a)) and $(a) > 5"),
        ("-${a} + 1", "-$(a) + 1"),
        ("${a} - (${b} - 1)", "$(a) - ($(b) - 1)"),
    ] {
        assert_eq!(computed(source, Dialect::XlsForm, Manner::Plain).as_deref(), Ok(formula), "{source}");
    }
    for (source, formula) in [
        ("round(${a}, 1)", "floor($(a) * 10 + 0.5) / 10"),
        ("${a} div ${b}", "if($(b) == 0, null, $(a) / $(b))"),
        ("${a} div 2", "$(a) / 2"),
    ] {
        assert_eq!(computed(source, Dialect::XlsForm, Manner::Exact).as_deref(), Ok(formula), "{source}");
    }
}

#[test]
fn conditions_of_redcap_keep_what_blanks_mean() {
    for (source, formula) in [
        ("[s]='1' or [m(2)]='1'", "selected($(s), \"1\") or selected($(m), \"2\")"),
        ("[m(1)] = '0'", "!selected($(m), \"1\")"),
        ("[c] = '0'", "$(c) == 0"),
        ("[c] = 0", "!selected($(c), true)"),
        ("[c] <> '1'", "!selected($(c), true)"),
        ("[a] <> \"\"", "!isblank($(a))"),
        ("[a] <> 5", "isblank($(a)) or $(a) != 5"),
        ("[a] < [b]", "$(a) < $(b)"),
        ("[a] >= [b]", "isblank($(a)) and isblank($(b)) or $(a) >= $(b)"),
        ("[d] < '2020-01-31'", "isblank($(d)) or $(d) < \"2020-01-31\""),
        ("datediff([d], 'today', 'y') >= 18", "abs(days_between($(d), today())) / 365.2425 >= 18"),
    ] {
        assert_eq!(shown(source, Dialect::RedCap).as_deref(), Ok(formula), "{source}");
    }
}

#[test]
fn calculations_of_redcap_are_said() {
    for (source, formula) in [
        ("[a]+[b]", "$(a) + $(b)"),
        ("[s]+[s]", "$!(s) + $!(s)"),
        ("[b]/(([a]/100)^2)", "$(b) / pow($(a) / 100, 2)"),
        ("round([a]^0.5,1) - ([b])^(-2)", "round(pow($(a), 0.5), 1) - pow($(b), -2)"),
        ("if([a] = '7', '', [b])", "if(!isblank($(a)) and $(a) == 7, null, $(b))"),
        ("if([a]=\"\",0,[a])", "if(isblank($(a)), 0, $(a))"),
        ("sum([a],[b])", "if(count($(a), $(b)) == 0, null, if(isblank($(a)), 0, $(a)) + if(isblank($(b)), 0, $(b)))"),
        ("max([a], 0)", "if(count($(a)) == 0, max(0), max($(a), 0))"),
        ("mean([a],[b])", "avg($(a), $(b))"),
        ("rounddown([a] / 3, 2)", "floor($(a) / 3 * 100) / 100"),
        ("[m(1)]+[m(2)]", "if(selected($(m), \"1\"), 1, 0) + if(selected($(m), \"2\"), 1, 0)"),
    ] {
        assert_eq!(computed(source, Dialect::RedCap, Manner::Plain).as_deref(), Ok(formula), "{source}");
    }
}

#[test]
fn what_has_no_like_says_why() {
    for (source, why) in [
        ("pulldata('a', 'b', 'c', ${t})", "nema funkcije „pulldata”"),
        ("${nema} = 1", "nema polja „nema”"),
        ("${s} = '7'", "„s” nema opciju „7”"),
        ("${y} = 'maybe'", "„y” je da ili ne, a ne „maybe”"),
        ("${a} = 'x'", "„x” nije broj"),
        ("${d} > 5", "poređenje datuma sa brojem"),
        ("${t} > 'x'", "poređenje tekstova po veličini"),
        ("substr(${t}, 1) = 'x'", "nema funkcije „substr”"),
        ("string-length(${a}) = 3", "slova vrednosti koja nije tekst"),
        ("contains(${t}, '')", "nema funkcije „contains”"),
        // A condition that is not one is refused, and not asked for itself without an end.
        ("selected(${m}, ${t})", "„selected” sa takvim vrednostima"),
        ("not(${a}, ${b})", "„not” sa takvim vrednostima"),
        ("if(true(1), 1, 2) = 1", "„true” sa takvim vrednostima"),
        ("../x > 1", "nema polja „../x”"),
    ] {
        assert_eq!(shown(source, Dialect::XlsForm), Err(why.to_owned()), "{source}");
    }
    assert_eq!(shown("${s} = '7' or ${a} = 1", Dialect::XlsForm).as_deref(), Ok("1 == 0 or $(a) == 1"));
    assert_eq!(shown("[m(1)] > 3", Dialect::RedCap), Err("opcija se poredi samo sa 1 ili 0".to_owned()));
    assert_eq!(computed("${d} + 280", Dialect::XlsForm, Manner::Plain), Err("dan kao broj".to_owned()));
}

#[test]
fn what_a_calculation_gives_is_told_by_it() {
    use ResultKind as R;
    for (source, kind) in [
        ("${a} div 2", Some(R::Number)),
        ("concat('a', ${a})", Some(R::Text)),
        ("if(${a} > 1, 'a', '')", Some(R::Text)),
        ("if(${a} > 1, 1, 2)", Some(R::Number)),
        ("${y}", Some(R::Text)),
        ("${s}", Some(R::Number)),
        ("today()", Some(R::Date)),
        ("${a} > 5", Some(R::Truth)),
        ("''", None),
    ] {
        assert_eq!(kind_of(&node(source, Dialect::XlsForm).unwrap(), &fields()), kind, "{source}");
    }
}
