// The days of a search. The server checks them again.
import { fromServer } from '../format';
import { t } from '../messages';

export interface PeriodFault {
  field: 'datumOd' | 'datumDo';
  message: string;
}

export function periodFault(from: string | null, until: string | null): PeriodFault | null {
  if (!from) return { field: 'datumOd', message: t.log.missingFrom };
  if (!fromServer(from)) return { field: 'datumOd', message: t.log.wrongFrom };
  if (until && !fromServer(until)) return { field: 'datumDo', message: t.log.wrongUntil };
  return until && until < from ? { field: 'datumDo', message: t.log.order } : null;
}
