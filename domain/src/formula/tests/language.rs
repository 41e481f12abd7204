//! What the compiler says about a form's formulas.

use super::*;

fn numeric(id: i64, sifra: &str) -> Field {
    Field { id, sifra: Some(sifra.into()), tip_vrednosti: ValueType::Number, ..Field::default() }
}

fn calculated(id: i64, sifra: &str, formula: &str) -> Field {
    Field { racunanje: Some(stored(formula)), ..numeric(id, sifra) }
}

fn calculation(field: i64) -> Target {
    Target { field, kind: FormulaKind::Calculation }
}

fn display(field: i64) -> Target {
    Target { field, kind: FormulaKind::Display }
}

#[test]
fn dependencies_are_listed_once_and_sorted() {
    assert_eq!(parse("$(se) + $!(b) * $(se) - $(a)").unwrap().deps, ["a", "b", "se"]);
}

#[test]
fn functions_of_javascript_are_known_by_its_names_and_no_other_by_them() {
    assert_eq!(stored("Math.log($(a)) + math.Round($(b), 1)").deps, ["a", "b"]);
    for (text, name) in [("Math.sum($(a))", "sum"), ("Math.ln($(a))", "ln"), ("Math.nema($(a))", "nema")] {
        let refused = parse(text).unwrap_err();
        assert!(refused.message.contains(name), "{text}: {}", refused.message);
    }
}

#[test]
fn the_stored_shape_is_small_and_stable() {
    let json = serde_json::to_string(&parse("0.7 * ln($(se)) + $!(nivo)").unwrap()).unwrap();
    assert_eq!(
        json,
        concat!(
            r#"{"v":1,"deps":["nivo","se"],"expr":{"t":"call","f":"add","args":[{"t":"call","f":"mul","args":[{"t":"number","v":0.7},"#,
            r#"{"t":"call","f":"ln","args":[{"t":"field","code":"se"}]}]},{"t":"item","code":"nivo"}]}}"#
        )
    );
}

#[test]
fn the_deepest_formula_survives_its_stored_form() {
    let deep = format!("{}$(a){}", "abs(".repeat(39), ")".repeat(39));
    assert_eq!(stored(&deep).deps, ["a"]);
    let deeper = format!("{}$(a){}", "abs(".repeat(40), ")".repeat(40));
    assert!(parse(&deeper).unwrap_err().message.contains("ugnežđena"));
    assert!(parse(&format!("{}$(a)", "-".repeat(3000))).unwrap_err().message.contains("ugnežđena"));
    assert!(parse(&format!("{}1", "(".repeat(3000))).unwrap_err().message.contains("ugnežđena"));
    let nested = |signs: usize| parse(&format!("{}1", "-".repeat(signs))).is_ok();
    assert_eq!((nested(39), nested(40)), (true, false));
    let long = |chars: usize| parse(&format!("1{}", " ".repeat(chars - 1))).map(|_| ()).map_err(|error| error.position);
    assert_eq!((long(4000), long(4001)), (Ok(()), Err(4001)));
    for wide in [vec!["$(a)"; 300].join(" + "), vec!["-$(a)"; 300].join(" + "), vec!["!($(a))"; 300].join(" && ")] {
        assert_eq!(stored(&wide).deps, ["a"]);
    }
    // From left to right each stands inside the next.
    assert_eq!(stored(&vec!["$(a)"; 30].join(" - ")).deps, ["a"]);
    assert!(parse(&vec!["$(a)"; 300].join(" - ")).unwrap_err().message.contains("ugnežđena"));
}

#[test]
fn an_unknown_code_is_refused_with_its_place() {
    let fields = [numeric(1, "se"), numeric(2, "das28")];
    let error = compile("0.7 * ln($(se)) + $(gh)", calculation(2), &fields).unwrap_err();
    assert_eq!((error.position, error.message.as_str()), (19, "Nepoznata šifra polja „gh”."));
    assert_eq!(error.to_string(), "Nepoznata šifra polja „gh”. (mesto 19)");
}

#[test]
fn a_code_of_a_panel_is_refused() {
    let panel = Field { tip_vrednosti: ValueType::Panel, ..numeric(1, "panel") };
    let error = compile("$(panel) + 1", calculation(2), &[panel, numeric(2, "b")]).unwrap_err();
    assert_eq!((error.position, error.message.as_str()), (1, "Polje „panel” nema vrednost."));
}

#[test]
fn a_code_of_files_is_refused() {
    let fields = [Field { tip_vrednosti: ValueType::File, ..numeric(1, "snimak") }, numeric(2, "b")];
    let refused = compile("1 + $(snimak)", calculation(2), &fields).unwrap_err();
    assert_eq!((refused.position, refused.message.as_str()), (5, "Polje „snimak” drži fajlove, pa ga formula ne čita."));
}

#[test]
fn a_set_takes_the_item_of_the_result_or_of_what_is_shown_of_it() {
    let item = |num: f64, formula: &str| {
        let items = vec![Item { id: 7, num, name: "stavka".into() }];
        let fields = [Field { tip_vrednosti: ValueType::Set, items, ..calculated(1, "s", formula) }];
        let done = evaluate_form(&fields, &BTreeMap::new(), &Around::on(jiff::civil::date(2026, 11, 20)));
        done.values[&1] == serde_json::json!([7])
    };
    assert_eq!([item(0.125, "1 / 8"), item(0.33, "1 / 3"), item(0.3, "0.1 + 0.2"), item(0.34, "1 / 3")], [true, true, true, false]);
}

#[test]
fn a_value_that_is_there_stands_for_what_is_blank_beside_it_where_an_entry_can_change_it() {
    let value = |formula: &str| {
        let fields = [numeric(1, "a"), numeric(2, "b"), calculated(3, "c", formula)];
        let around = Around {
            patient: Some(Patient { born: None, male: Some(true), male_at_birth: None }),
            ..Around::on(jiff::civil::date(2026, 11, 20))
        };
        evaluate_form(&fields, &BTreeMap::from([(2, Json::from(2))]), &around).values[&3].clone()
    };
    assert_eq!(value("max($(a), $(b) + 1)"), Json::from(3));
    assert_eq!(value("max($(a), pacijent.pol == 'M')"), Json::from(1));
    assert_eq!(value("max($(a), 1 + 2)"), Json::Null, "a constant alone is no answer");
    assert_eq!([value("lookup($(b), > 5 : 1, 7)"), value("lookup($(b), > 1 : 1, 7)")], [Json::from(7), Json::from(1)]);
    assert_eq!([value("if(round(1 / 0) > 1, 5, 6)"), value("round(1 / 0)")], [Json::from(5), Json::from(0)]);
}

#[test]
fn a_difference_of_large_numbers_keeps_what_the_larger_one_tells() {
    for (a, b) in [(1_000_000.123_456_789, -999_999.876_543_21), (-999_999.876_543_21, 1_000_000.123_456_789)] {
        assert_eq!(round::add(a, b), 0.246_913_58);
    }
}

#[test]
fn a_reference_that_is_none_and_a_word_in_the_place_of_a_sign_are_refused_as_what_they_are() {
    for text in ["$()", "$(1a)", "$(a", "$(a + 1"] {
        assert_eq!(parse(text).unwrap_err().message, "Šifra polja nije ispravna; piše se $(šifra) ili $!(šifra).", "{text}");
    }
    assert_eq!(parse("$(a) puta 2").unwrap_err().message, "Neočekivano „puta”.");
}

#[test]
fn a_formula_that_reads_its_own_field_is_refused() {
    let fields = [numeric(1, "a")];
    for target in [calculation(1), display(1)] {
        let error = compile("1 + $(a)", target, &fields).unwrap_err();
        assert_eq!((error.position, error.message.as_str()), (5, "Formule se vrte u krug: a → a."));
    }
}

#[test]
fn a_circle_is_refused_at_the_code_that_closes_it() {
    let fields = [numeric(1, "ulaz"), numeric(2, "a"), calculated(3, "b", "$(a) + 1"), calculated(4, "c", "$(b) * 2")];
    let error = compile("$(ulaz) + $(c)", calculation(2), &fields).unwrap_err();
    assert_eq!((error.position, error.message.as_str()), (11, "Formule se vrte u krug: a → c → b → a."));
    assert!(compile("$(ulaz) + 1", calculation(2), &fields).is_ok());
}

#[test]
fn a_panel_may_not_hide_by_what_lies_in_it() {
    let panel = Field { id: 1, tip_vrednosti: ValueType::Panel, ..Field::default() };
    let inside = Field { parent: Some(1), ..numeric(2, "unutra") };
    let error = compile("$(unutra) > 1", display(1), &[panel.clone(), inside.clone()]).unwrap_err();
    assert_eq!((error.position, error.message.as_str()), (1, "Formule se vrte u krug: #1 → unutra → #1."));
    let outside = Field { parent: None, ..inside };
    assert!(compile("$(unutra) > 1", display(1), &[panel, outside]).is_ok());
}

#[test]
fn the_formula_being_replaced_has_no_say() {
    let fields = [calculated(1, "a", "$(b)"), numeric(2, "b")];
    assert!(compile("1", calculation(1), &fields).is_ok());
    let replaced = [calculated(1, "a", "1"), calculated(2, "b", "$(a)")];
    assert!(compile("$(b)", calculation(1), &replaced).is_err());
}

#[test]
fn a_changed_code_is_found_in_the_formulas_that_used_it() {
    let fields = [numeric(1, "novaSifra"), calculated(2, "b", "$(staraSifra) + 1")];
    let problems = check_form(&fields);
    assert_eq!(problems, [Problem { field: 2, message: "Formula polja „b” koristi nepoznatu šifru „staraSifra”.".into() }]);
    assert!(check_form(&[numeric(1, "a"), calculated(2, "b", "$(a)")]).is_empty());
    let circle = [calculated(1, "a", "$(b)"), calculated(2, "b", "$(a)")];
    assert_eq!(check_form(&circle).len(), 2);
}

#[test]
fn a_circle_that_slipped_in_ends() {
    let fields = [calculated(1, "a", "$(b) + 1"), calculated(2, "b", "$(a) + 1")];
    let done = evaluate_form(&fields, &BTreeMap::new(), &Around::on(jiff::civil::date(2026, 11, 20)));
    assert_eq!(done.values, BTreeMap::from([(1, Json::Null), (2, Json::Null)]));
}

#[test]
fn a_logarithm_or_division_that_can_blow_up_is_warned_of() {
    const NONE: [usize; 0] = [];
    let bounded = |id, sifra, low, high| Field { donja_granica: Some(low), gornja_granica: Some(high), ..numeric(id, sifra) };
    let fields =
        [numeric(1, "x"), bounded(2, "se", 1.0, 200.0), bounded(3, "crp", 0.0, 500.0), bounded(4, "visina", 50.0, 250.0), numeric(5, "r")];
    let numbered = vec![Item { id: 1, num: 1.0, name: "blag".into() }, Item { id: 2, num: 2.0, name: "težak".into() }];
    let set = |id, sifra, multiple| Field { tip_vrednosti: ValueType::Set, items: numbered.clone(), multiple, ..numeric(id, sifra) };
    let fields = [
        &fields[..],
        &[
            bounded(6, "oko", -1.0, 1.0),
            Field { tip_vrednosti: ValueType::Choice, ..numeric(7, "da") },
            set(8, "stepen", false),
            set(9, "stepeni", true),
        ],
    ]
    .concat();
    let warned = |text: &str| compile(text, calculation(5), &fields).unwrap().warnings.iter().map(|w| w.position).collect::<Vec<_>>();
    assert_eq!(warned("0.7 * ln($(se))"), NONE);
    assert_eq!(warned("0.36 * ln($(crp) + 1)"), NONE);
    assert_eq!(warned("0.36 * ln($(crp))"), [8]);
    assert_eq!(warned("100 / $(visina) / ($(visina) * $(visina))"), NONE);
    assert_eq!(warned("100 / pow($(visina) / 100, 2)"), NONE);
    assert_eq!(warned("1 / $(x) + ln($(x))"), [3, 12]);
    assert_eq!(warned("1 / ($(se) - 100)"), [3]);
    assert_eq!(warned("sqrt($(crp))"), NONE);
    assert_eq!(warned("sqrt($(crp) - 1)"), [1]);
    assert_eq!(warned("$(x) % 2 + $(x) / 2"), NONE);
    // What is divided by zero may be any number.
    assert_eq!(warned("sqrt(1 / $(crp))"), [1, 8]);
    assert_eq!(warned("ln(1 + 1 / (0 - $(crp)))"), [1, 10]);
    assert_eq!(warned("1 / (10 - log10($(crp)))"), [3, 11]);
    let told =
        |text: &str| compile(text, calculation(5), &fields).unwrap().warnings.into_iter().next().map_or(String::new(), |w| w.message);
    let wanted = [
        ("1 / $(crp)", "Moguće je deljenje nulom"),
        ("1 / (0 - $(crp))", "Moguće je deljenje nulom"),
        ("$(x) % $(crp)", "Moguće je deljenje nulom"),
        ("1 / ($(crp) * 0)", "Deli se nulom"),
        ("$(x) % 0", "Deli se nulom"),
        ("ln($(crp))", "Logaritam može"),
        ("log10(0 - $(crp))", "Logaritam može"),
        ("ln(0 - $(se))", "Broj je uvek negativan"),
        ("log10(0 - $(se))", "Broj je uvek negativan"),
        ("sqrt(0 - $(se))", "Broj je uvek negativan"),
        ("sqrt(0 - $(crp))", "Koren može"),
        // What the parts make of the bounds.
        ("1 / max($(se), $(visina))", ""),
        ("1 / min($(se), $(crp))", "Moguće je deljenje nulom"),
        ("1 / if($(x) > 1, $(se), $(visina))", ""),
        ("1 / if($(x) > 1, $(se), $(crp))", "Moguće je deljenje nulom"),
        ("1 / abs($(se))", ""),
        ("1 / abs(0 - $(se))", ""),
        ("1 / abs(0 - $(crp))", "Moguće je deljenje nulom"),
        ("1 / abs($(crp) - 10)", "Moguće je deljenje nulom"),
        ("sqrt(300 + $(se) / $(oko))", "Koren može"),
        ("1 / ($(se) / (0 - $(se)))", ""),
        ("sqrt(10 - ln($(crp)))", "Koren može"),
        ("sqrt(10 - ln($(se)))", ""),
        ("sqrt($(da))", ""),
        ("1 / ($(da) + 1)", ""),
        ("1 / $(da)", "Moguće je deljenje nulom"),
        ("1 / $(stepen)", ""),
        ("1 / $(stepeni)", "Moguće je deljenje nulom"),
        ("1 / sqrt($(se))", ""),
        ("1 / exp($(crp))", ""),
        ("1 / pow($(se), 2)", ""),
        ("1 / pow($(crp), 2)", "Moguće je deljenje nulom"),
        ("ln(ln($(visina)))", ""),
        ("ln(ln($(se)))", "Logaritam može"),
        ("ln(log10($(visina)))", ""),
        ("1 / floor($(visina) / 60)", "Moguće je deljenje nulom"),
        ("1 / ceil($(visina) / 60)", ""),
        ("1 / round($(se) / 2)", "Moguće je deljenje nulom"),
        ("1 / round($(visina))", ""),
        ("1 / lookup($(x), < 1 : $(se), $(visina))", ""),
        ("1 / lookup($(x), < 1 : $(se), $(crp))", "Moguće je deljenje nulom"),
        ("1 / ($(se) + $(visina))", ""),
        ("1 / ($(se) * $(visina))", ""),
        ("1 / ($(visina) - $(se))", "Moguće je deljenje nulom"),
        ("1 / (0 - $(se) / $(visina))", ""),
        ("1 / prethodno($(se))", ""),
        ("sqrt(pow($(crp), 2))", ""),
        ("ln((0 - $(visina)) + 60)", "Logaritam može"),
        ("sqrt(-$(crp))", "Koren može"),
        ("1 / -$(se)", ""),
        ("ln(round(0 - $(se)) + 0.8)", "Logaritam može"),
        ("1 / round($(se) + 0.2)", ""),
        ("sqrt($(x) + exp($(visina) * 100))", "Koren može"),
        ("1 / count($(x), $(se))", "Moguće je deljenje nulom"),
        ("sqrt(count($(x), $(se)))", ""),
        ("sqrt($(x) > 1)", ""),
        ("1 / ($(x) > 1)", "Moguće je deljenje nulom"),
        ("sqrt(age(pacijent.datumRodjenja, datumPregleda))", ""),
        ("sqrt(abs(0 - $(se)))", ""),
        ("sqrt(abs($(crp) - 10))", ""),
        ("1 / (abs($(oko) * 100 - 50) - 120)", "Moguće je deljenje nulom"),
        ("1 / (round($(crp)) - 400)", "Moguće je deljenje nulom"),
    ];
    let otherwise = wanted.into_iter().filter_map(|(text, words)| {
        let message = told(text);
        let as_wanted = if words.is_empty() { message.is_empty() } else { message.starts_with(words) };
        (!as_wanted).then_some((text, message))
    });
    assert_eq!(otherwise.collect::<Vec<_>>(), []);
}

#[test]
fn a_column_is_read_by_functions_over_rows_and_by_nothing_else() {
    let column = |id, code: &str, section| Field { sekcija: Some(section), parent: Some(section), ..numeric(id, code) };
    let section = |id, code: &str| Field { tip_vrednosti: ValueType::Panel, ..numeric(id, code) };
    let fields = [
        section(1, "terapija"),
        column(2, "doza", 1),
        column(3, "puta", 1),
        section(4, "posete"),
        column(5, "nalaz", 4),
        numeric(6, "tezina"),
        numeric(7, "ukupno"),
    ];
    let refused = |text: &str| compile(text, calculation(7), &fields).map(|_| ()).map_err(|error| (error.position, error.message));
    for text in [
        "sum($(doza) * $(puta) / $(tezina))",
        "brojRedova($(terapija)) + brojRedova($(nalaz))",
        "nekiRed($(doza) > 5) i svakiRed($(nalaz) > prviRed($(nalaz)))",
        "countif(>= $(tezina), $(doza), $(nalaz))",
        "if(count($(doza)) > 2, max($(doza)), min($(nalaz)))",
        "sum($(doza) / sum($(nalaz)))",
    ] {
        assert_eq!(refused(text), Ok(()), "{text}");
    }
    let told = |text: &str, at: usize, begins: &str| {
        let (position, message) = refused(text).unwrap_err();
        assert_eq!((position, message.starts_with(begins)), (at, true), "{text}: {message}");
    };
    told("1 + $(doza)", 5, "Polje „doza” ima vrednost u svakom redu sekcije. Čita se funkcijom nad redovima: sum($(doza))");
    told("sqrt($(doza))", 6, "Polje „doza” ima vrednost u svakom redu");
    told("countif(>= $(doza), $(puta))", 12, "Polje „doza” ima vrednost u svakom redu");
    told("join($(doza), $(puta))", 6, "Polje „doza” ima vrednost u svakom redu");
    told("sum($(doza) * $(nalaz))", 15, "Polje „nalaz” je u drugoj sekciji");
    told("sum($(terapija))", 5, "Sekcija „terapija” nema svoju vrednost; broj njenih redova je brojRedova($(terapija)).");
    told("brojRedova($(tezina))", 1, "Piše se brojRedova($(šifra))");
    told("nekiRed($(tezina) > 1)", 1, "Ova funkcija čita redove");
    told("max(prethodno($(doza)))", 15, "Redovi prethodnog unosa se ne čitaju");
    let conditions = compile_conditions(&["nekiRed($(doza) > 5)", "$(doza) > 5"], &fields);
    assert_eq!(conditions.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false]);
    let formula = parse("sum($(doza)) + brojRedova($(terapija))").unwrap();
    assert_eq!((formula.deps.as_slice(), missing_for(&formula, &fields)), (&["doza".to_owned(), "terapija".to_owned()][..], None));
    assert!(missing_for(&parse("$(doza)").unwrap(), &fields).unwrap().contains("svakom redu"));
    // A column that left its section is no column any more.
    let mut moved = fields.to_vec();
    moved[6].racunanje = Some(parse("brojRedova($(doza))").unwrap());
    assert_eq!(misread_in(&moved), None);
    (moved[1].sekcija, moved[1].parent) = (None, None);
    assert!(misread_in(&moved).unwrap().message.starts_with("Formula polja „ukupno”: Piše se brojRedova"));
    assert_eq!(check_form(&moved).len(), 1);
}

#[test]
fn a_sum_over_rows_has_no_bound_of_one_row() {
    let bounded = |id, sifra, low, high| Field { donja_granica: Some(low), gornja_granica: Some(high), ..numeric(id, sifra) };
    let column = |id, sifra, low, high| Field { sekcija: Some(1), parent: Some(1), ..bounded(id, sifra, low, high) };
    let fields = [
        Field { tip_vrednosti: ValueType::Panel, ..numeric(1, "terapija") },
        column(2, "doza", 1.0, 5.0),
        numeric(3, "x"),
        column(4, "pad", -5.0, -1.0),
        column(5, "manjak", -5.0, 0.0),
        bounded(6, "jedan", 1.0, 5.0),
    ];
    let warned = |text: &str| compile(text, calculation(3), &fields).unwrap().warnings.len();
    assert_eq!([warned("1 / sum($(doza))"), warned("1 / (10 - sum($(doza)))"), warned("1 / (10 - max($(doza)))")], [0, 1, 0]);
    assert_eq!([warned("1 / sum($(pad))"), warned("sqrt(10 + sum($(pad)))"), warned("1 / (sum($(manjak)) - 1)")], [0, 1, 0]);
    assert_eq!(warned("1 / (10 - sum($(jedan), 2))"), 0, "what stands in no row is summed once");
}

#[test]
fn an_item_that_a_set_does_not_have_is_refused_with_its_place() {
    let items = vec![Item { id: 1, num: 1.0, name: "metotreksat".into() }, Item { id: 2, num: 3.0, name: "leflunomid".into() }];
    let fields = [Field { tip_vrednosti: ValueType::Set, items, ..numeric(1, "lek") }, numeric(2, "b"), numeric(3, "c")];
    let refused = |text: &str| compile(text, calculation(2), &fields).map(|_| ()).map_err(|error| (error.position, error.message));
    let known = "Stavke: metotreksat (1), leflunomid (3).";
    assert_eq!(refused("selected($(lek), 'Metotreksat')"), Err((18, format!("Polje „lek” nema stavku „Metotreksat”. {known}"))));
    assert_eq!(refused("1 + anyof($(lek), 1, 2)"), Err((22, format!("Polje „lek” nema stavku sa brojem 2. {known}"))));
    assert_eq!(refused("selected(prethodno($(lek)), 7) + 0").unwrap_err().0, 29);
    assert_eq!(refused("$(lek) == 'ništa'").unwrap_err().0, 11);
    assert_eq!(refused("'ništa' == $(lek)").unwrap_err().0, 1);
    for text in ["selected($(lek), 'leflunomid')", "selected($(lek), 3)", "selected($(c), 17)", "$(lek) != 'metotreksat'", "$(lek) == ''"] {
        assert_eq!(refused(text), Ok(()), "{text}");
    }
    let renamed = vec![Item { id: 1, num: 1.0, name: "MTX".into() }];
    let form = [
        Field { tip_vrednosti: ValueType::Set, items: renamed, ..numeric(1, "lek") },
        calculated(2, "b", "selected($(lek), 'metotreksat')"),
    ];
    assert_eq!(check_form(&form)[0].message, "Formula polja „b”: Polje „lek” nema stavku „metotreksat”. Stavke: MTX (1).");
}

#[test]
fn what_the_previous_entry_is_asked_makes_no_circle_but_is_known() {
    let fields = [numeric(1, "das28"), numeric(2, "promena")];
    let formula = compile("$(das28) - prethodno($(das28))", calculation(2), &fields).unwrap().formula;
    assert_eq!((formula.deps.as_slice(), formula.prev.as_slice()), (&["das28".to_owned()][..], &["das28".to_owned()][..]));
    assert!(formula.reads("das28") && formula.asks_for_previous());
    assert!(compile("prethodno($(promena)) + 1", calculation(2), &fields).is_ok());
    assert_eq!(compile("1 + prethodno($(gh))", calculation(2), &fields).unwrap_err().position, 15);
    let orphan = check_form(&[calculated(2, "promena", "prethodno($(das28))")]);
    assert_eq!(orphan[0].message, "Formula polja „promena” koristi nepoznatu šifru „das28”.");
}

#[test]
fn a_text_used_as_a_number_and_a_formula_without_a_value_are_warned_of() {
    let set = vec![Item { id: 1, num: 0.0, name: "niska".into() }, Item { id: 2, num: 1.0, name: "visoka".into() }];
    let fields = [
        numeric(1, "broj"),
        Field { tip_vrednosti: ValueType::Text, ..numeric(2, "tekst") },
        Field { tip_vrednosti: ValueType::Date, ..numeric(3, "dan") },
        Field { tip_vrednosti: ValueType::Set, items: set, ..numeric(4, "nivo") },
        numeric(5, "rezultat"),
        Field { tip_vrednosti: ValueType::Date, ..numeric(6, "kontrola") },
        Field { tip_vrednosti: ValueType::Choice, ..numeric(7, "ima") },
        Field { tip_vrednosti: ValueType::Text, ..calculated(8, "ispis", "concat($(broj))") },
        Field { tip_vrednosti: ValueType::Panel, ..numeric(9, "terapija") },
        Field { tip_vrednosti: ValueType::Text, sekcija: Some(9), parent: Some(9), ..numeric(10, "lek") },
    ];
    let warned = |field: i64, text: &str| {
        let compiled = compile(text, calculation(field), &fields).unwrap();
        compiled.warnings.into_iter().map(|warning| (warning.position, warning.message)).collect::<Vec<_>>()
    };
    for quiet in [
        "$(broj) + 1",
        "if($(broj) > 1, 2, null)",
        "$(dan) - today()",
        "age(pacijent.datumRodjenja, datumPregleda)",
        "if(pacijent.pol == 'M', 1, 0.9)",
        "lookup($(broj), < 2.6 : 0, <= 3.2 : 1, 2)",
        "$(nivo) == 'niska'",
        "$(tekst) == 'abc'",
        "min($(broj), prethodno($(broj)))",
        "$(broj) * '5'",
        "$(broj) > '5' || '5' < $(broj)",
        "$(dan) > '2026-01-01' && '2026-01-01' < $(dan)",
        "null && $(broj) > 1",
        "'' || $(broj) > 1",
        "!($(broj) > 1)",
        "if(pacijent.pol == '', 0, 1)",
        "isblank($(tekst)) + count($(tekst), $(dan)) + selected($(nivo), 'niska')",
        "1 + $(ispis)",
        "brojRedova($(lek)) + nekiRed($(lek) == 'MTX')",
    ] {
        assert_eq!(warned(5, quiet), [], "{quiet}");
    }
    for quiet in ["$(dan) + 28", "28 + $(dan)", "1 + $(dan) + 2", "$(dan) - $(broj)", "add_days($(dan), 28)", "prethodno($(dan)) + 28"] {
        assert_eq!(warned(6, quiet), [], "{quiet}");
    }
    assert_eq!(warned(4, "if($(broj) > 1, 'visoka', 0)"), []);
    assert_eq!(warned(5, "1 + $(tekst)"), [(5, "Tekst polja „tekst” koristi se kao broj: gde to nije, rezultat je prazan.".into())]);
    let never = (1, "Formula nikad nema vrednost.".to_owned());
    assert_eq!(warned(5, "$(broj) * 'pet'")[1].1, "„pet” nije broj: ovaj deo formule nikad nema vrednost.");
    for text in [
        "$(broj) * 'pet'",
        "null",
        "$(dan) * 2",
        "age($(broj), today())",
        "$(dan) > 3",
        "if($(broj) > 1, null, '')",
        "-$(dan)",
        "$(broj) > 'pet'",
        "'pet' > $(broj)",
        "$(dan) > 'juče'",
        "'juče' < $(dan)",
        "'' && !''",
        "!null",
        "null > $(broj)",
        "$(broj) - $(dan)",
        "$(dan) + $(dan)",
        "lookup(null, < 2 : 1, 3)",
    ] {
        assert!(warned(5, text).contains(&never), "{text}: {:?}", warned(5, text));
    }
    assert_eq!(warned(5, "$(broj) * null"), std::slice::from_ref(&never), "nothing is not called a wrong number as well");
    for text in ["add_days($(broj), 28)", "add_days($(dan), 'pet')"] {
        assert!(warned(6, text).contains(&never), "{text}: {:?}", warned(6, text));
    }
    assert!(warned(5, "1 + $(dan) * 2").contains(&never));
    let as_number = (17, "Tekst se koristi kao broj: gde to nije, rezultat je prazan.".to_owned());
    assert_eq!(warned(5, "concat($(broj)) + 1"), [as_number]);
    assert_eq!(warned(5, "today()"), [(1, "Rezultat je datum, a polje je brojno: ostaje prazno.".into())]);
    assert_eq!(warned(5, "ln(-1)"), [(1, "Broj je uvek negativan: ovaj deo formule nikad nema vrednost.".into())]);
    assert_eq!(warned(5, "if($(broj) > 1, 'visoka', 'niska')"), [(1, "Rezultat je tekst, a polje je brojno: ostaje prazno.".into())]);
    for text in ["lookup($(broj), < 1 : 'niska', 'visoka')", "concat($(broj), 'a')"] {
        assert_eq!(warned(5, text), [(1, "Rezultat je tekst, a polje je brojno: ostaje prazno.".into())], "{text}");
    }
    for text in ["$(tekst)", "today()"] {
        assert_eq!(warned(7, text), [(1, "Rezultat nije „da” ili „ne”: polje je „Da” kad god ima vrednosti.".into())], "{text}");
    }
    assert_eq!(warned(4, "if($(broj) > 1, 5, 0)"), [(1, "Polje nema stavku sa brojem 5: tada ostaje prazno.".into())]);
    assert_eq!(warned(6, "$(nivo)"), [(1, "Rezultat nije datum, a polje jeste: ostaje prazno.".into())]);
    assert_eq!(warned(4, "if($(broj) > 1, 'srednja', 'niska')"), [(1, "Polje nema stavku „srednja”: tada ostaje prazno.".into())]);
    assert_eq!(warned(6, "$(broj) + 1"), [(1, "Rezultat nije datum, a polje jeste: ostaje prazno.".into())]);
}

#[test]
fn what_a_formula_reads_and_asks_for_is_told() {
    let told = |text: &str| {
        let formula = stored(text);
        (formula.reads("a"), formula.asks_for_the_day(), formula.asks_for_previous())
    };
    assert_eq!(told("$(a) + 1"), (true, false, false));
    assert_eq!(told("$(b) + today()"), (false, false, false));
    assert_eq!(told("age(pacijent.datumRodjenja, datumPregleda)"), (false, true, false));
    assert_eq!(told("prethodno($(a)) + 1"), (true, true, true));
    assert_eq!(told("if(prethodniDatum > 1, $(b), 1)"), (false, true, true));
}

#[test]
fn today_is_the_day_that_is_asked_about() {
    let day = Field { tip_vrednosti: ValueType::Date, ..calculated(1, "dan", "today()") };
    let done = evaluate_form(&[day], &BTreeMap::new(), &Around::on(jiff::civil::date(2026, 2, 28)));
    assert_eq!(done.values[&1], Json::from("2026-02-28"));
}

#[test]
fn formulas_of_a_form_are_compiled_together_and_each_is_told_its_own_fault() {
    let mut fields = [numeric(1, "a"), numeric(2, "b"), numeric(3, "c"), numeric(4, "d"), numeric(5, "e")];
    let written = [
        Written { racunanje: Some("$(b) + 1"), prikaz: None },
        Written { racunanje: Some("$(a) + 1"), prikaz: None },
        Written { racunanje: Some("1 +"), prikaz: Some("$(d) > 1") },
        Written { racunanje: None, prikaz: Some("$(nema) > 1") },
        Written::default(),
    ];
    let told = compile_form(&mut fields, &written);
    let fault = |one: &Option<Result<Compiled, FormulaError>>| match one {
        None => "nothing written".to_owned(),
        Some(Ok(compiled)) => format!("reads {}", compiled.formula.deps.join(" ")),
        Some(Err(error)) => error.to_string(),
    };
    let faults: Vec<_> = told.iter().map(|field| [fault(&field.racunanje), fault(&field.prikaz)]).collect();
    let nothing = || "nothing written".to_owned();
    assert_eq!(faults[0], ["Formule se vrte u krug: a → b → a. (mesto 1)".to_owned(), nothing()]);
    assert_eq!(faults[1], ["Formule se vrte u krug: b → a → b. (mesto 1)".to_owned(), nothing()]);
    assert!(faults[2][0].contains("(mesto 4)"), "{}", faults[2][0]);
    assert_eq!(faults[2][1], "reads d");
    assert_eq!(faults[3], [nothing(), "Nepoznata šifra polja „nema”. (mesto 1)".to_owned()]);
    assert_eq!(faults[4], [nothing(), nothing()]);
    assert!(fields[0].racunanje.is_some() && fields[2].racunanje.is_none() && fields[2].prikaz.is_some());
}

#[test]
fn conditions_of_a_form_are_compiled_beside_its_fields_and_looked_at_again_when_these_change() {
    let panel = Field { tip_vrednosti: ValueType::Panel, ..numeric(3, "panel") };
    let items = vec![Item { id: 1, num: 1.0, name: "da".into() }];
    let fields = [numeric(1, "a"), Field { tip_vrednosti: ValueType::Set, items, ..numeric(2, "s") }, panel];
    let compiled = compile_conditions(&["$(a) > 1", "$(nema) > 1", "$(a) >", "$(s) == 'da'"], &fields);
    assert_eq!(compiled.iter().map(|one| one.as_ref().map_err(|e| e.position).err()).collect::<Vec<_>>(), [None, Some(1), Some(7), None]);
    let missing = |text: &str| missing_for(&stored(text), &fields);
    assert_eq!(missing("$(a) > prethodno($(a))"), None);
    assert_eq!(missing("$(s) == 'da'"), None);
    assert_eq!(missing("$(nema) > 1").as_deref(), Some("nepoznata šifra „nema”"));
    assert_eq!(missing("prethodno($(nema)) > 1").as_deref(), Some("nepoznata šifra „nema”"));
    assert_eq!(missing("$(panel) > 1").as_deref(), Some("nepoznata šifra „panel”"));
    assert_eq!(missing("$(s) == 'ne'").as_deref(), Some("Polje „s” nema stavku „ne”. Stavke: da (1)."));
}

#[test]
fn a_set_whose_item_another_formula_names_is_told_what_it_lacks() {
    let set = |items: &[(i64, &str)]| Field {
        tip_vrednosti: ValueType::Set,
        items: items.iter().map(|&(id, name)| Item { id, num: id as f64, name: name.into() }).collect(),
        racunanje: Some(stored("if(selected($(s), 'ne'), 1, 0)")),
        ..numeric(1, "s")
    };
    let fields = [numeric(3, "c"), calculated(2, "b", "selected($(s), 'da') + 0")];
    assert_eq!(items_missed_in(&set(&[(1, "da")]), &fields), None);
    let renamed = set(&[(1, "jeste")]);
    let words = "Formula polja „b”: Polje „s” nema stavku „da”. Stavke: jeste (1).";
    assert_eq!(items_missed_in(&renamed, &fields).as_deref(), Some(words));
    // What it says of itself is said where it is saved.
    assert_eq!(items_missed_in(&renamed, std::slice::from_ref(&renamed)), None);
    let many = set(&(1..=11).map(|id| (id, "x")).collect::<Vec<_>>());
    assert!(items_missed_in(&many, &fields).unwrap().ends_with("x (10) …."));
    let ten = set(&(1..=10).map(|id| (id, "x")).collect::<Vec<_>>());
    assert!(items_missed_in(&ten, &fields).unwrap().ends_with("x (10)."));
}

#[test]
fn formulas_that_read_a_column_as_one_value_are_found_when_it_comes_into_rows() {
    let section = Field { tip_vrednosti: ValueType::Panel, ..numeric(1, "lekovi") };
    let column = Field { sekcija: Some(1), parent: Some(1), ..numeric(2, "doza") };
    let sum = calculated(3, "zbir", "sum($(doza))");
    assert_eq!(misread_in(&[section.clone(), column.clone(), sum.clone()]), None);
    let found = misread_in(&[section, column, sum, calculated(4, "pogresno", "$(doza) + 1")]).unwrap();
    assert_eq!(found.field, 4);
    assert!(found.message.starts_with("Formula polja „pogresno”: "), "{}", found.message);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2000))]

    /// Whatever is typed is a formula that has a value, or is refused at a place inside it.
    #[test]
    fn no_text_breaks_the_compiler(
        pieces in proptest::collection::vec(
            proptest::sample::select(vec![
                "$(a)", "$!(s)", "$(d)", "1", "2.5", "'x'", "\"\"", "null", "+", "-", "*", "/", "%", "(", ")", ",", "<", "==", "&&", "||", "!",
                " i ", " ne ", "prethodno(", "lookup(", "countif(", "concat(", "join(", "brojRedova(", "nekiRed(", "prviRed(", "$(k)", "$(r)", "anyof(", "add_days(", "pacijent.pol", "datumPregleda", "?", ":", "if(", "round(", "max(", "age(", "today()", "selected(", "pow(", "$", "š", ".", "'", "1e", "~",
            ]),
            0..14,
        ),
    ) {
        let text = pieces.concat();
        let items = vec![Item { id: 1, num: 2.0, name: "x".into() }];
        let fields = [
            numeric(1, "a"),
            Field { tip_vrednosti: ValueType::Set, items, ..numeric(2, "s") },
            Field { tip_vrednosti: ValueType::Date, ..numeric(3, "d") },
            numeric(4, "rezultat"),
            Field { tip_vrednosti: ValueType::Panel, ..numeric(5, "k") },
            Field { sekcija: Some(5), parent: Some(5), ..numeric(6, "r") },
        ];
        match compile(&text, calculation(4), &fields) {
            Ok(compiled) => {
                let mut fields = fields.to_vec();
                fields[3].racunanje = Some(compiled.formula);
                let rows = serde_json::json!([{ "id": 1, "v": { "6": 2 } }, { "id": 2, "v": {} }]);
                let entered = BTreeMap::from([(1, Json::from(3)), (2, serde_json::json!([1])), (3, Json::from("2026-02-28")), (5, rows)]);
                let result = &evaluate_form(&fields, &entered, &Around::on(jiff::civil::date(2026, 11, 20))).values[&4];
                proptest::prop_assert!(result.is_null() || result.is_number());
            }
            Err(error) => proptest::prop_assert!((1..=text.chars().count() + 1).contains(&error.position)),
        }
    }
}
