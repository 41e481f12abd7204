// A screen that broke, or whose code is gone because a newer version was installed.
import { Button } from 'primereact/button';
import { useRouteError } from 'react-router';
import { t } from '../messages';
import { EmptyState } from './states';

const isMissingChunk = (error: unknown) => error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);

export function ScreenError() {
  const error = useRouteError();
  return (
    <div role="alert">
      <EmptyState
        icon="pi-exclamation-triangle"
        title={isMissingChunk(error) ? t.error.newVersion : t.error.screen}
        action={<Button label={t.error.refresh} icon="pi pi-refresh" onClick={() => window.location.reload()} />}
      />
    </div>
  );
}
