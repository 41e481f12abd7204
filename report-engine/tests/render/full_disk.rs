//! A disk that takes no more: a shell gives this program files of 64 KB at most, which fail as a full disk does.
use std::env;
use std::process::Command;

use report_engine::plan::Format;
use report_engine::render::{Cap, Limits, Overflow, RenderError};

use crate::support::{PREGLEDI, columns, context, row, try_render};

const NAME: &str = "full_disk::a_full_disk_fails_every_format_in_words_and_leaves_no_file";
const INSIDE: &str = "REGIX_TEST_SMALL_FILES";

#[test]
fn a_full_disk_fails_every_format_in_words_and_leaves_no_file() {
    if env::var_os(INSIDE).is_some() {
        return [Format::Pdf, Format::Xlsx, Format::Csv].into_iter().for_each(fails);
    }
    // The signal about the limit is ignored, so that writing fails instead; a shell counts in blocks of 512 bytes.
    let limited = r#"trap '' XFSZ; ulimit -f 128; exec "$0" --exact "$1" --nocapture"#;
    let program = env::current_exe().expect("this program");
    let output = Command::new("sh").args(["-c", limited]).arg(program).arg(NAME).env(INSIDE, "1").output().expect("a shell");
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

fn fails(format: Format) {
    let cap = Cap { rows: u64::MAX, overflow: Overflow::Fail };
    let limits = Limits { pdf: cap, xlsx: cap, csv: cap, ..Limits::default() };
    // That it leaves no file is asked where it is rendered.
    let Err(error) = try_render(PREGLEDI, &context(format), &columns(), (0..5_000).map(row), &limits) else {
        panic!("{format} is written")
    };
    assert!(matches!(error, RenderError::Io(_)), "{format}: {error}");
    assert_eq!(
        (error.code().name(), error.message().as_str()),
        ("storage", "Na disku servera nema mesta za izveštaj. Obratite se administratoru.")
    );
}
