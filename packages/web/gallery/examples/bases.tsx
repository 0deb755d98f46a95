import { ActionIcon, Button, Checkbox, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { IconDots, IconPlus } from '@tabler/icons-react';
import { DateField } from '../../src/ui/fields/DateField.tsx';
import type { GalleryExample } from '../example.ts';
import styles from '../gallery.module.css';

const tokens = [
  ...['page', 'surface', 'surface-2', 'border', 'border-strong', 'text', 'text-muted', 'brand', 'brand-tint'],
  ...['accent', 'accent-tint', 'danger'],
  ...['green', 'amber', 'red', 'sky', 'slate', 'violet', 'brown', 'iron', 'mist', 'cyan'].map(
    (one) => `${one}-solid`,
  ),
  ...['green', 'amber', 'red', 'blue', 'grey'].map((one) => `classic-${one}`),
];

export const bases: readonly GalleryExample[] = [
  {
    name: 'Colours by meaning',
    show: () => (
      <div className={styles.row}>
        {tokens.map((token) => (
          <div key={token} className={styles.swatch}>
            <i style={{ background: `var(--mr-${token})` }} />
            {token}
          </div>
        ))}
      </div>
    ),
  },
  {
    name: 'Buttons: usual, quiet, dangerous, disabled, working',
    show: () => (
      <div className={styles.row}>
        <Button leftSection={<IconPlus size={16} />}>Create</Button>
        <Button variant="default">Default</Button>
        <Button variant="subtle">Subtle</Button>
        <Button color="red">Delete</Button>
        <Button disabled>Disabled</Button>
        <Button loading>Working</Button>
        <ActionIcon aria-label="More">
          <IconDots size={16} />
        </ActionIcon>
        <ActionIcon aria-label="More" variant="default" size={34}>
          <IconDots size={16} />
        </ActionIcon>
      </div>
    ),
  },
  {
    name: 'Fields: empty, filled, wrong, disabled',
    show: () => (
      <>
        <div className={styles.row}>
          <TextInput label="Empty" placeholder="Placeholder" />
          <TextInput label="Filled" description="What it is for" defaultValue="value" />
          <TextInput label="Wrong" defaultValue="value" error="“value” is not a number" required />
          <TextInput label="Disabled" defaultValue="value" disabled />
          <Select label="Choice" data={['one', 'two']} defaultValue="one" />
          <DateField type="DATE" label="Date" text="2026-03-01" onText={() => {}} />
          <DateField type="DATETIME" label="Moment" text="2026-03-01T10:00:00Z" onText={() => {}} />
        </div>
        <div className={styles.row}>
          <Textarea label="Several lines" defaultValue={'one\ntwo'} />
          <Switch label="On" defaultChecked />
          <Switch label="Off" />
          <Checkbox label="Ticked" defaultChecked />
          <Checkbox label="Some" indeterminate readOnly />
        </div>
      </>
    ),
  },
];
