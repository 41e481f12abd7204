use report_engine::render::*;
use report_engine::template::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (name, csvf, out) = (&a[1], &a[2], &a[3]);
    let src = std::fs::read_to_string(format!("templates/reports/{name}.hbs")).unwrap();
    let t = ReportTemplate::parse(name, &src).unwrap();
    let mut r = csv::Reader::from_path(csvf).unwrap();
    let cols: Vec<String> = r.headers().unwrap().iter().map(String::from).collect();
    let textual = ["jmbg", "lbo", "telefon", "broj_kartona", "kontakt_telefon", "vrednost"];
    let rows: Vec<Vec<Value>> = r
        .records()
        .map(|x| {
            x.unwrap()
                .iter()
                .zip(&cols)
                .map(|(c, n)| {
                    if c.is_empty() {
                        Value::Null
                    } else if textual.contains(&n.as_str()) {
                        Value::Text(c.into())
                    } else if let Ok(i) = c.parse() {
                        Value::Int(i)
                    } else if let Ok(d) = c.parse() {
                        Value::Decimal(d)
                    } else if c.len() == 10 && c.parse::<jiff::civil::Date>().is_ok() {
                        Value::Date(c.parse().unwrap())
                    } else {
                        Value::Text(c.into())
                    }
                })
                .collect()
        })
        .collect();
    let ctx = |f| Context {
        naziv: a[4].clone(),
        parametri: vec![
            ("Od".into(), "01.01.2023.".into()),
            ("Do".into(), "31.12.2025.".into()),
            ("Ustanove".into(), "Klinički centar Srbije, Institut za reumatologiju, Klinički centar Vojvodine".into()),
            ("Tip infarkta".into(), "Svi".into()),
        ],
        ustanova: "Klinički centar Srbije".into(),
        radnik_ime_prezime: "Živana Đorđević".into(),
        generisano: "2026-03-05T07:04:00".parse().unwrap(),
        format: f,
        extra: serde_json::json!({}),
    };
    let targets = Format::ALL.map(|f| Target { plan: t.plan(&ctx(f)).unwrap(), path: format!("{out}.{}", f.extension()).into() }).into();
    for o in render(targets, &cols, rows.into_iter().map(Ok), &Limits::default(), &Default::default()).unwrap() {
        println!("{:?}", o.result)
    }
}
