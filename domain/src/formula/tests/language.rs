//! What the compiler says about a form's formulas.

use super::*;

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
        let items = vec![Item { id: 7, num: Some(num), name: "stavka".into(), ..Item::default() }];
        let fields = [Field { tip_vrednosti: ValueType::Set, items, ..calculated(1, "s", formula) }];
        let done = evaluate_form(&fields, &BTreeMap::new(), &FormulaSurroundings::on(jiff::civil::date(2026, 11, 20)));
        done.values[&1] == serde_json::json!([7])
    };
    assert_eq!([item(0.125, "1 / 8"), item(0.33, "1 / 3"), item(0.3, "0.1 + 0.2"), item(0.34, "1 / 3")], [true, true, true, false]);
}

#[test]
fn a_value_that_is_there_stands_for_what_is_blank_beside_it_where_an_entry_can_change_it() {
    let value = |formula: &str| {
        let fields = [numeric(1, "a"), numeric(2, "b"), calculated(3, "c", formula)];
        let around = FormulaSurroundings {
            patient: Some(Patient { born: None, male: Some(true), male_at_birth: None }),
            ..FormulaSurroundings::on(jiff::civil::date(2026, 11, 20))
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
    let done = evaluate_form(&fields, &BTreeMap::new(), &FormulaSurroundings::on(jiff::civil::date(2026, 11, 20)));
    assert_eq!(done.values, BTreeMap::from([(1, Json::Null), (2, Json::Null)]));
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
    // A column's own formula is about its row.
    let own = |text: &str| compile(text, calculation(3), &fields).map(|_| ()).map_err(|error| (error.position, error.message));
    for text in [
        "$(doza) * $(tezina)",
        "max($(doza), $(tezina)) - prviRed($(doza))",
        "redniBrojReda / brojRedova($(posete))",
        "nekiRed(max($(doza), 5) > 5)",
    ] {
        assert_eq!(own(text), Ok(()), "{text}");
    }
    assert!(own("$(doza) + $(nalaz)").unwrap_err().1.starts_with("Polje „nalaz” je u drugoj sekciji"));
    assert!(own("prviRed($(puta))").unwrap_err().1.starts_with("Formule se vrte u krug"));
    told("1 + redniBrojReda", 5, "„redniBrojReda” ima samo red sekcije");
    assert_eq!(refused("sum(redniBrojReda * $(doza))"), Ok(()));
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
fn an_item_that_a_set_does_not_have_is_refused_with_its_place() {
    let items = vec![
        Item { id: 1, num: Some(1.0), name: "metotreksat".into(), ..Item::default() },
        Item { id: 2, num: Some(3.0), name: "leflunomid".into(), ..Item::default() },
    ];
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
    let renamed = vec![Item { id: 1, num: Some(1.0), name: "MTX".into(), ..Item::default() }];
    let form = [
        Field { tip_vrednosti: ValueType::Set, items: renamed, ..numeric(1, "lek") },
        calculated(2, "b", "selected($(lek), 'metotreksat')"),
    ];
    assert_eq!(check_form(&form)[0].message, "Formula polja „b”: Polje „lek” nema stavku „metotreksat”. Stavke: MTX (1).");
}

#[test]
fn a_text_is_the_code_of_an_item_before_it_is_a_name() {
    let item = |id, name: &str, code: Option<&str>| Item { id, name: name.into(), code: code.map(str::to_owned), ..Item::default() };
    let items = vec![item(1, "Bez podatka", Some("UNK")), item(2, "isto", Some("isto")), item(3, "bez šifre", None)];
    let set = |items: Vec<Item>| Field { tip_vrednosti: ValueType::Set, items, ..numeric(1, "lek") };
    let fields = [set(items.clone()), numeric(2, "b"), Field { tip_vrednosti: ValueType::Text, ..numeric(3, "t") }];
    let named = |text: &str| {
        let formula = compile(text, calculation(2), &fields).unwrap().formula;
        let items: Vec<_> = formula.items().into_iter().map(|named| format!("{:?}", named.item)).collect();
        (items.join(" "), formula.by_code)
    };
    let by_code = || vec!["lek".to_owned()];
    assert_eq!(
        named("selected($(lek), 'UNK') + anyof($(lek), 'isto', 'bez šifre')"),
        (r#"Code("UNK") Name("isto") Name("bez šifre")"#.into(), by_code())
    );
    assert_eq!(named("'UNK' != prethodno($(lek))"), (r#"Code("UNK")"#.into(), by_code()));
    assert_eq!(named("lookup($(lek), == 'UNK' : 1, == 'nema takve' : 2, 3)"), (r#"Code("UNK")"#.into(), by_code()));
    assert_eq!(named("selected($(lek), 'Bez podatka')"), (r#"Name("Bez podatka")"#.into(), vec![]), "by its name as well");
    assert_eq!(named("$(t) == 'UNK'"), (r#"Name("UNK")"#.into(), vec![]), "no set is asked");
    // What is stored says which it is, so that no code that comes later changes it.
    let formula = compile("selected($(lek), 'UNK')", calculation(2), &fields).unwrap().formula;
    let text = serde_json::to_string(&formula).unwrap();
    assert!(text.contains(r#""byCode":["lek"]"#) && text.contains(r#"{"t":"code","v":"UNK"}"#), "{text}");
    let coded = Field { racunanje: Some(serde_json::from_str(&text).unwrap()), ..numeric(2, "b") };
    let other = [set(vec![item(1, "UNK", None), items[2].clone()]), coded];
    assert_eq!(check_form(&other)[0].message, "Formula polja „b”: Polje „lek” nema stavku sa šifrom „UNK”. Stavke: UNK, bez šifre.");
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
fn a_field_of_another_form_is_named_with_its_forms_code_and_told_apart_by_the_days_it_is_read_on() {
    let formula = stored("$(a) + $(haq.x) * prethodno($!(haq.y)) - poslednjeRanije($(haq.x)) + prvoRanije($(b))");
    assert_eq!((formula.deps, formula.prev), (vec!["a".to_owned()], vec!["b".to_owned()]));
    assert_eq!((formula.far, formula.far_prev), (vec!["haq.x".to_owned()], vec!["haq.x".to_owned(), "haq.y".to_owned()]));
    assert!(stored("$(haq.x)").asks_for_the_day() && !stored("$(a)").asks_for_the_day());
    assert!(stored("$(haq.x)").reads("haq.x") && !stored("$(haq.x)").reads("x"));
    for text in ["$(haq.)", "$(.x)", "$(haq.x.y)", "$(haq.1x)", "$(haq .x)"] {
        assert_eq!(parse(text).expect_err(text).position, 1, "{text}");
    }
}

#[test]
fn a_formula_is_checked_among_the_fields_of_other_forms_too() {
    let far = |id, sifra: &str, sekcija| Field { other_form: Some(7), sekcija, ..numeric(id, sifra) };
    let fields = [numeric(1, "a"), numeric(2, "b"), far(3, "haq.x", None), far(4, "haq.red", Some(9))];
    assert!(compile("$(a) + $(haq.x) + prethodno($(haq.x))", calculation(2), &fields).is_ok());
    let refused = |text: &str| compile(text, calculation(2), &fields).expect_err(text).message;
    assert_eq!(refused("$(haq.y)"), "Nepoznata šifra polja „haq.y”.");
    let rows = "Redovi drugog formulara se ne čitaju: polje „haq.red” je u sekciji koja se ponavlja.";
    assert_eq!((refused("$(haq.red)"), refused("sum($(haq.red))")), (rows.to_owned(), rows.to_owned()));
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
    let done = evaluate_form(&[day], &BTreeMap::new(), &FormulaSurroundings::on(jiff::civil::date(2026, 2, 28)));
    assert_eq!(done.values[&1], Json::from("2026-02-28"));
}

#[test]
fn formulas_of_a_form_are_compiled_together_and_each_is_told_its_own_fault() {
    let mut fields = [numeric(1, "a"), numeric(2, "b"), numeric(3, "c"), numeric(4, "d"), numeric(5, "e")];
    let written = [
        FormulaTexts { racunanje: Some("$(b) + 1"), prikaz: None },
        FormulaTexts { racunanje: Some("$(a) + 1"), prikaz: None },
        FormulaTexts { racunanje: Some("1 +"), prikaz: Some("$(d) > 1") },
        FormulaTexts { racunanje: None, prikaz: Some("$(nema) > 1") },
        FormulaTexts::default(),
    ];
    let told = compile_form(&mut fields, &written);
    let fault = |one: &Option<Result<CompiledFormula, FormulaError>>| match one {
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
    let items = vec![Item { id: 1, num: Some(1.0), name: "da".into(), ..Item::default() }];
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
        items: items.iter().map(|&(id, name)| Item { id, num: Some(id as f64), name: name.into(), ..Item::default() }).collect(),
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
                " i ", " ne ", "prethodno(", "lookup(", "countif(", "concat(", "join(", "brojRedova(", "nekiRed(", "prviRed(", "$(k)", "$(r)", "anyof(", "add_days(", "pacijent.pol", "datumPregleda", "?", ":", "if(", "round(", "max(", "age(", "today()", "selected(", "pow(", "'kod'", "$", "š", ".", "'", "1e", "~",
            ]),
            0..14,
        ),
    ) {
        let text = pieces.concat();
        let items = vec![
            Item { id: 1, num: Some(2.0), name: "x".into(), ..Item::default() },
            Item { id: 2, name: "y".into(), code: Some("kod".into()), ..Item::default() },
        ];
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
                let result = &evaluate_form(&fields, &entered, &FormulaSurroundings::on(jiff::civil::date(2026, 11, 20))).values[&4];
                proptest::prop_assert!(result.is_null() || result.is_number());
            }
            Err(error) => proptest::prop_assert!((1..=text.chars().count() + 1).contains(&error.position)),
        }
    }
}
