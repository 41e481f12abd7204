// The parameters of one report, on a tab of its dialog.
import { useList } from '../api/hooks';
import type { ReportParameterRow, ReportParameterTypeRow } from '../api/types';
import { CrudList } from '../crud/CrudScreen';
import { firstMissing } from '../crud/useForm';
import { t } from '../messages';
import { named, withCurrent } from './choices';

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
const yesNo = (value: boolean) => (value ? t.common.yes : t.common.no);

export function ReportParameters({ report, readOnly }: { report: number; readOnly: boolean }) {
  const { data: types } = useList<ReportParameterTypeRow>('/api/report-parameter-types');
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
        { field: 'opcioni', body: ({ opcioni }) => yesNo(opcioni), filter: false },
        { field: 'multiSelect', body: ({ multiSelect }) => yesNo(multiSelect), filter: false },
      ]}
      validate={(parameter) =>
        firstMissing(parameter, [
          ['naziv', text.missingNaziv],
          ['tipID', text.missingType],
          ['requestNaziv', text.missingRequest],
          ['prikazniRedosled', text.missingOrder],
        ])
      }
      fields={(field, _mode, { tipID, tipNaziv }) => (
        <>
          {field.text('naziv', { required: true })}
          {field.select('tipID', withCurrent(named(types?.data), tipID, tipNaziv), { required: true })}
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
