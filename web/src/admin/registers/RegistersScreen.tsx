// The list of registers; each opens on a page of its own (B 2.3).
import { useNavigate } from 'react-router';
import type { RegisterRow } from '../../api/types';
import { useCrud } from '../../crud/useCrud';
import { t } from '../../messages';
import { Page } from '../../ui/Page';
import { registerAddress, type RegisterState } from './operation';
import { ExchangeButtons } from './exchange/ExchangeButtons';
import { RecordList } from './RecordList';

const text = t.registerForms;

export default function RegistersScreen() {
  const crud = useCrud<RegisterRow>('/api/registers');
  const navigate = useNavigate();
  return (
    <Page title={text.registers}>
      <RecordList
        crud={crud}
        path="/api/registers"
        resource="register"
        title={text.registers}
        columns={['naziv', 'sifra', 'opis']}
        more={(chosen) => <ExchangeButtons path="/api/registers" chosen={chosen} code={chosen?.sifra ?? null} />}
        onOpen={(mode, record) =>
          void navigate(registerAddress(record?.id ?? ''), { state: { registarOperation: mode } satisfies RegisterState })
        }
      />
    </Page>
  );
}
