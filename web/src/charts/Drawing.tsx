// A drawing of the server: its shapes and words at their places, in the colours of the page.
import type { ReactNode, SVGProps } from 'react';
import type { Schema } from '../schema';
import { lineColour, seriesColour } from './colours';
import style from './drawing.module.css';

export type DrawingShape = Schema<'ScreenDrawing'>['oblici'][number];

interface Props extends Omit<SVGProps<SVGSVGElement>, 'children'> {
  drawing: Schema<'ScreenDrawing'>;
  label: string;
  isShown?: (shape: DrawingShape) => boolean;
  children?: ReactNode;
}

export function Drawing({ drawing, label, isShown = () => true, children, className = '', ...rest }: Props) {
  return (
    <svg
      viewBox={`0 0 ${String(drawing.sirina)} ${String(drawing.visina)}`}
      style={{ maxWidth: drawing.sirina }}
      role="img"
      aria-label={label}
      {...rest}
      className={`${style.drawing ?? ''} ${className}`}
    >
      {drawing.oblici.map((shape, place) => isShown(shape) && <Shape key={place} shape={shape} />)}
      {children}
    </svg>
  );
}

/** Each value tells itself to who points at it. */
export function SpotTitles({ drawing }: { drawing: Schema<'ScreenDrawing'> }) {
  return drawing.mesta.map(({ x, y, tekst }, place) => (
    <circle key={place} cx={x} cy={y} r={9} className={style.spot}>
      <title>{tekst}</title>
    </circle>
  ));
}

/** Colours that follow the page: on a dark one they are light. */
const ROLES: Readonly<Record<string, string | undefined>> = { ink: style.ink, muted: style.muted, hairline: style.hairline };

/** What is of a series may have a colour that the register chose. */
const colourOf = (shape: DrawingShape, hex: string | null | undefined) =>
  hex != null && shape.serija != null ? lineColour(hex) : seriesColour(hex);

function Shape({ shape }: { shape: DrawingShape }) {
  const role = ROLES[shape.uloga ?? ''];
  if (shape.tekst != null) {
    const turn = shape.okrenuto ? `rotate(-90 ${String(shape.x ?? 0)} ${String(shape.y ?? 0)})` : undefined;
    return (
      <text
        x={shape.x ?? 0}
        y={shape.y ?? 0}
        fontSize={shape.velicina ?? 12}
        fontWeight={shape.podebljano ? 'bold' : undefined}
        textAnchor={(shape.poravnanje ?? 'start') as 'start' | 'middle' | 'end'}
        fill={shape.ispuna ?? undefined}
        style={{ fill: role ? undefined : seriesColour(shape.ispuna) }}
        transform={turn}
        className={role}
        aria-hidden
      >
        {shape.tekst}
      </text>
    );
  }
  return (
    <path
      d={shape.putanja}
      fill={shape.ispuna ?? 'none'}
      fillOpacity={shape.providnost ?? undefined}
      stroke={shape.linija ?? undefined}
      strokeWidth={shape.debljina ?? undefined}
      strokeDasharray={shape.crtice ?? undefined}
      strokeLinejoin="round"
      style={role ? undefined : { fill: colourOf(shape, shape.ispuna), stroke: colourOf(shape, shape.linija) }}
      className={role}
    />
  );
}
