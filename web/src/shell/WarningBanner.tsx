// The administrators' warning: blinks until it is stilled, or never where the system asks for less motion.
import { useState } from 'react';
import { useApi } from '../api/hooks';
import { t } from '../messages';
import style from './WarningBanner.module.css';

export function WarningBanner() {
  const { data } = useApi('/api/warning', { refreshInterval: 60_000 });
  const [stilled, setStilled] = useState('');
  const message = data?.message.trim();
  if (!message) return null;
  const blinks = stilled !== message;
  return (
    <div className={`${style.banner ?? ''} ${blinks ? (style.blinks ?? '') : ''}`} role="alert" aria-label={t.shell.warning}>
      <span className="pi pi-exclamation-triangle" aria-hidden />
      <p>{message}</p>
      {blinks && (
        <button type="button" onClick={() => setStilled(message)} aria-label={t.shell.stopBlinking} title={t.shell.stopBlinking}>
          <span className="pi pi-pause" aria-hidden />
        </button>
      )}
    </div>
  );
}
