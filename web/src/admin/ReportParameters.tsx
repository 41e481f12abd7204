// The parameters of one report, on a tab of its dialog.
import type { ReportParameterRow, ReportParameterTypeRow } from '../api/types';
import { CrudList } from '../crud/CrudScreen';
import { YES_NO, yesNo } from '../crud/CrudTable';
import { firstMissing } from '../crud/useForm';
import { t } from '../messages';

const text = t.admin.reportParameters;
const EMPTY: ReportParameterRow = {
  id: 0,
  naziv: '',
  tipID: null,
  requestNaziv: '',
  prikazniRedosled: null,
  opcioni: false,
  multiSelect: false,
  podrazumevano: null,
};

export function ReportParameters({ report, readOnly }: { report: number; readOnly: boolean }) {
  return (
    <CrudList<ReportParameterRow, 'reportParameter'>
      path="/api/report-parameters"
      resource="reportParameter"
      title={t.admin.reports.parameters}
      what={text.what}
      name={({ naziv }) => naziv}
      scope={{ izvestaj: report }}
      readOnly={readOnly}
      empty={EMPTY}
      columns={[
        'prikazniRedosled',
        'naziv',
        'tipNaziv',
        'requestNaziv',
        { field: 'opcioni', body: ({ opcioni }) => yesNo(opcioni), filter: YES_NO },
        { field: 'multiSelect', body: ({ multiSelect }) => yesNo(multiSelect), filter: YES_NO },
      ]}
      validate={(parameter) =>
        firstMissing(parameter, [
          ['naziv', text.missingNaziv],
          ['tipID', text.missingType],
          ['requestNaziv', text.missingRequest],
          ['prikazniRedosled', text.missingOrder],
        ])
      }
      fields={(field) => (
        <>
          {field.text('naziv', { required: true })}
          {field.found<ReportParameterTypeRow>(
            'tipID',
            { path: '/api/report-parameter-types', name: ({ naziv }) => naziv },
            { required: true },
          )}
          {field.text('requestNaziv', { required: true, help: text.requestHelp })}
          {field.number('prikazniRedosled', { required: true })}
          {field.toggle('opcioni')}
          {field.toggle('multiSelect')}
          {field.text('podrazumevano', { help: text.defaultHelp })}
        </>
      )}
    />
  );
}
