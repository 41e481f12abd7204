// What JasperReports needs for the report of `reports.rs`: the same rows, columns, groups and totals, in the same typeface.
// Called as FORMAT ROWS FILE; fills and exports once for the JVM to get warm, then several times, and tells of the cheapest, as what it is
// compared with does: CPU seconds and bytes.
import groovy.transform.CompileStatic
import java.lang.management.ManagementFactory
import java.time.LocalDate
import java.time.ZoneId
import net.sf.jasperreports.engine.*
import net.sf.jasperreports.engine.export.*
import net.sf.jasperreports.engine.export.ooxml.JRXlsxExporter
import net.sf.jasperreports.engine.xml.JRXmlLoader
import net.sf.jasperreports.export.*

@CompileStatic
class Rows implements JRDataSource {
    static final List<String> NAMES = ['Đorđević Živana', 'Petrović Milica', 'Čolić Šćepan', 'Živković Žarko', 'Nikolić Aleksandra', 'Šušnjar Đuro']
    static final List<String> THERAPIES = ['Metotreksat 15 mg nedeljno', 'Adalimumab 40 mg', 'Leflunomid 20 mg dnevno']
    static final LocalDate FIRST = LocalDate.of(2024, 1, 1)
    final long count
    long index = -1

    Rows(long count) { this.count = count }

    boolean next() { ++index < count }

    Object getFieldValue(JRField field) {
        switch (field.name) {
            case 'odeljenje': return "Odeljenje ${index.intdiv(50)}".toString()
            case 'rb': return index + 1
            case 'datum': return Date.from(FIRST.plusDays(index % 700).atStartOfDay(ZoneId.systemDefault()).toInstant())
            case 'pacijent': return NAMES[(int) (index * 7 % 6)]
            case 'dijagnoza': return "M05.${index % 10}".toString()
            case 'starost': return 20 + index % 70
            case 'das28': return BigDecimal.valueOf(index * 7919 % 800, 2)
            case 'crp': return BigDecimal.valueOf(index * 7919 % 900, 1)
            case 'se': return index % 90
            case 'terapija': return THERAPIES[(int) (index * 7 % 3)]
            default: return BigDecimal.valueOf(index * 7919 % 30_000_000, 2)
        }
    }
}

// Name, head, width, class, pattern.
def columns = [
    ['rb', 'Rb.', 44, 'Long', null], ['datum', 'Datum', 66, 'java.util.Date', 'dd.MM.yyyy.'], ['pacijent', 'Pacijent', 142, 'String', null],
    ['dijagnoza', 'Dijagnoza', 66, 'String', null], ['starost', 'Starost', 49, 'Long', null], ['das28', 'DAS28', 49, 'java.math.BigDecimal', '0.00'],
    ['crp', 'CRP', 49, 'java.math.BigDecimal', '0.0'], ['se', 'SE', 43, 'Long', null], ['terapija', 'Terapija', 164, 'String', null],
    ['iznos', 'Iznos (RSD)', 98, 'java.math.BigDecimal', '#,##0.00'],
]
def box = { x, width, inner, kind, attributes = '' ->
    "<$kind $attributes><reportElement x=\"$x\" y=\"0\" width=\"$width\" height=\"12\"/>" +
        '<textElement><font fontName="DejaVu Sans" size="7"/></textElement>' + inner + "</$kind>"
}
def text = { x, width, expression, pattern = null ->
    box(x, width, "<textFieldExpression><![CDATA[$expression]]></textFieldExpression>", 'textField',
        'textAdjust="StretchHeight" isBlankWhenNull="true"' + (pattern ? " pattern=\"$pattern\"" : ''))
}
def band = { inner -> "<band height=\"12\" splitType=\"Stretch\">$inner</band>" }
int x = 0
def places = columns.collect { [it, (x += it[2]) - it[2]] }
def heads = places.collect { column, at -> box(at, column[2], "<text><![CDATA[${column[1]}]]></text>", 'staticText') }.join()
def cells = places.collect { column, at -> text(at, column[2], "\$F{${column[0]}}", column[4]) }.join()
def totals = { of, label ->
    text(0, 300, label) + text(367, 49, "\$V{das28_$of}", '0.00') + text(672, 98, "\$V{iznos_$of}", '#,##0.00')
}
def total = { name, of, calculation, reset ->
    "<variable name=\"${name}_$of\" class=\"java.math.BigDecimal\" calculation=\"$calculation\" $reset>" +
        "<variableExpression><![CDATA[\$F{$name}]]></variableExpression></variable>"
}
def source = """<?xml version="1.0" encoding="UTF-8"?>
<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="pregledi" pageWidth="842" pageHeight="595"
  orientation="Landscape" columnWidth="770" leftMargin="36" rightMargin="36" topMargin="34" bottomMargin="40">
  <field name="odeljenje" class="java.lang.String"/>
  ${columns.collect { "<field name=\"${it[0]}\" class=\"${it[3].contains('.') ? it[3] : 'java.lang.' + it[3]}\"/>" }.join('\n  ')}
  ${total('das28', 'g', 'Average', 'resetType="Group" resetGroup="g"')}${total('iznos', 'g', 'Sum', 'resetType="Group" resetGroup="g"')}
  ${total('das28', 'r', 'Average', '')}${total('iznos', 'r', 'Sum', '')}
  <group name="g" isReprintHeaderOnEachPage="true"><groupExpression><![CDATA[\$F{odeljenje}]]></groupExpression>
    <groupHeader>${band(text(0, 770, '"Odeljenje: " + $F{odeljenje}'))}</groupHeader>
    <groupFooter>${band(totals('g', '"Ukupno za " + $F{odeljenje} + ": " + $V{g_COUNT} + " pregleda"'))}</groupFooter></group>
  <title>${band(text(0, 770, '"Pregledi reumatologije"'))}</title>
  <columnHeader>${band(heads)}</columnHeader>
  <detail>${band(cells)}</detail>
  <pageFooter>${band(text(0, 770, '"Strana " + $V{PAGE_NUMBER}'))}</pageFooter>
  <summary>${band(totals('r', '"Ukupno: " + $V{REPORT_COUNT} + " pregleda"'))}</summary>
</jasperReport>"""

def (format, rows, path) = [args[0], args[1] as long, args[2]]
def report = JasperCompileManager.compileReport(JRXmlLoader.load(new ByteArrayInputStream(source.getBytes('UTF-8'))))
def process = ManagementFactory.operatingSystemMXBean as com.sun.management.OperatingSystemMXBean
def make = {
    // Sheets and CSV hold one line a row, as ours do.
    def parameters = [REPORT_LOCALE: new Locale('sr', 'RS'), IS_IGNORE_PAGINATION: format != 'pdf'] as Map<String, Object>
    def filled = JasperFillManager.fillReport(report, parameters, new Rows(rows))
    def exporter = [pdf: { new JRPdfExporter() }, xlsx: { new JRXlsxExporter() }, csv: { new JRCsvExporter() }][format]()
    exporter.exporterInput = new SimpleExporterInput(filled)
    def file = new File(path)
    exporter.exporterOutput = format == 'csv' ? new SimpleWriterExporterOutput(file, 'UTF-8') : new SimpleOutputStreamExporterOutput(file)
    exporter.exportReport()
}
def spent = {
    def before = process.processCpuTime
    make()
    (process.processCpuTime - before) / 1e9d
}
make()
println "${(1..5).collect { spent() }.min()} ${new File(path).length()}"
