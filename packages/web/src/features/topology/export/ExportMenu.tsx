import { Menu } from '@mantine/core';
import type { Execution } from '@millrace/contract';
import { IconDownload } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { saveFile, saveText } from '../../../api/download.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { showError } from '../../../shell/toasts.ts';
import { findIcon, type Icons } from '../PluginIcon.tsx';
import { groupRuns, summarizeRuns } from '../runSummary.ts';
import { Control } from '../TopologyControls.tsx';
import { useTopology } from '../topologyView.ts';
import { type Palette, svgOf } from './svgOf.ts';

interface ExportMenuProps {
  readonly icons: Icons | undefined;
  readonly execution: Execution | undefined;
  readonly flowId: string | undefined;
}

/** Saves the graph as a picture: all of it, whatever part is in view. */
export function ExportMenu({ icons, execution, flowId }: ExportMenuProps) {
  const { t } = useTranslation();
  const { layout, orientation, frame } = useTopology();
  const draw = () => {
    const runs = groupRuns(execution);
    const read = colorsOf(frame);
    return svgOf({
      layout,
      orientation,
      palette: paletteOf(read),
      iconOf: (type) => findIcon(icons, type) ?? undefined,
      stateColorOf: (node) => {
        const run = execution && node.task ? summarizeRuns(node, runs) : undefined;
        return run && read(`--mr-state-${run.state.toLowerCase()}-solid`);
      },
      words: {
        triggers: t('topology.triggers'),
        finally: t('topology.finally'),
        afterExecution: t('topology.afterExecution'),
        onError: t('topology.onError'),
      },
    });
  };
  const name = flowId ?? 'flow';
  return (
    <Menu position="right-end">
      <Menu.Target>
        <Control label={t('topology.export')}>
          <IconDownload size={16} />
        </Control>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => saveText(draw().svg, `${name}.svg`, 'image/svg+xml')}>
          {t('topology.asSvg')}
        </Menu.Item>
        <Menu.Item
          onClick={() => void pngOf(draw()).then((file) => saveFile(file, `${name}.png`), showError)}
        >
          {t('topology.asPng')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

type ReadColor = (name: string) => string;

function colorsOf(frame: RefObject<HTMLElement | null>): ReadColor {
  const style = getComputedStyle(frame.current ?? document.documentElement);
  return (name) => style.getPropertyValue(name).trim() || 'gray';
}

const paletteOf = (read: ReadColor): Palette => ({
  page: read('--mr-page'),
  surface: read('--mr-surface'),
  border: read('--mr-border-strong'),
  line: read('--mr-illustration-line'),
  text: read('--mr-text'),
  muted: read('--mr-text-muted'),
  box: read('--mr-surface-2'),
  error: read('--mr-red-solid'),
  late: read('--mr-amber-solid'),
});

/** Browsers refuse larger canvases; a larger graph is drawn smaller. */
const MAX_SIDE_PX = 12_000;
const MAX_AREA_PX = 80_000_000;

/** The picture at twice its size, as far as a canvas can hold that. */
async function pngOf(picture: { svg: string; width: number; height: number }): Promise<Blob> {
  const { svg, width, height } = picture;
  const scale = Math.min(2, MAX_SIDE_PX / Math.max(width, height), Math.sqrt(MAX_AREA_PX / (width * height)));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) =>
      blob ? resolve(blob) : reject(new Error('The browser could not draw the picture.')),
    );
  });
}
