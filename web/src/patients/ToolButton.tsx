// A button of a panel's head: a picture, with what it does as its tooltip.
import { Button, type ButtonProps } from 'primereact/button';

interface Props {
  icon: string;
  does: string;
  /** What it is called where there are several alike on the page. */
  name?: string;
  severity?: ButtonProps['severity'];
  side?: 'bottom' | 'left';
  onClick: () => void;
}

export const ToolButton = ({ icon, does, name = does, severity, side = 'bottom', onClick }: Props) => (
  <Button
    icon={`pi ${icon}`}
    text
    severity={severity}
    aria-label={name}
    tooltip={does}
    tooltipOptions={{ position: side }}
    onClick={onClick}
  />
);
