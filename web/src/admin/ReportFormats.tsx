// The formats that a report is made in: given and taken at once.
import type { Schema } from '../schema';
import { api } from '../api/client';
import { LinkList } from '../crud/LinkList';

export function ReportFormats({ report, disabled }: { report: number; disabled: boolean }) {
  return (
    <LinkList<Schema<'ReportFormat'>>
      path="/api/report-formats"
      of={{ izvestaj: report }}
      name={({ nazivKratki }) => nazivKratki}
      disabled={disabled}
      add={(format) => api.post('/api/report-format-links', { izvestaj: report, format })}
      remove={(formatiID) => api.post('/api/report-format-links-delete', { statistickiIzvestajID: report, formatiID })}
    />
  );
}
