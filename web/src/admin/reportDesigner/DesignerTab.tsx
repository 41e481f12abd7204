// The tab of a report's dialog that leads to its designer.
import { Button } from 'primereact/button';
import { useNavigate } from 'react-router';
import { t } from '../../messages';
import style from './designer.module.css';

export function DesignerTab({ report }: { report: number }) {
  const navigate = useNavigate();
  return (
    <div className={style.stack}>
      <p className={style.help}>{t.reportDesigner.tabHelp}</p>
      <div className={style.buttons}>
        <Button
          label={t.reportDesigner.open}
          icon="pi pi-code"
          onClick={() => void navigate(`/admin/izvestaji/${String(report)}/dizajner`)}
        />
      </div>
    </div>
  );
}
