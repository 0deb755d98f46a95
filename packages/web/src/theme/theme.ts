import {
  type ButtonProps,
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
  type MantineTheme,
} from '@mantine/core';
import controls from './controls.module.css';

const brand: MantineColorsTuple = [
  '#e9eefc',
  '#d3defb',
  '#a8bff8',
  '#8eabff',
  '#7c9bff',
  '#4f74ec',
  '#2451d6',
  '#1c43b8',
  '#173794',
  '#122b73',
];

/** Mantine's dark scale: text first, page last. */
const dark: MantineColorsTuple = [
  '#e6eaf2',
  '#c5ccda',
  '#9aa5ba',
  '#7d889f',
  '#2a3140',
  '#242b38',
  '#1d2330',
  '#161a22',
  '#0e1117',
  '#090b10',
];

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'theme' });

export const theme = createTheme({
  colors: { brand, dark },
  primaryColor: 'brand',
  primaryShade: { light: 6, dark: 4 },
  fontFamily: 'var(--mr-font)',
  fontFamilyMonospace: 'var(--mr-font-mono)',
  headings: { fontFamily: 'var(--mr-font)', fontWeight: '600' },
  defaultRadius: 6,
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Plain objects instead of each component's `extend`: the theme must not load components that no page shows yet.
  components: {
    Button: {
      defaultProps: { size: 'sm' },
      styles: { label: { fontWeight: 550 } },
      vars: (_theme: MantineTheme, { variant = 'filled', color, size = 'sm' }: ButtonProps) => ({
        root: {
          ...(size === 'sm' ? usualButton : {}),
          ...(variant === 'filled' && color === undefined ? filled('brand') : {}),
          ...(variant === 'filled' && color === 'red' ? filled('danger') : {}),
        },
      }),
    },
    ActionIcon: {
      defaultProps: { variant: 'subtle', color: 'gray', size: 30 },
      classNames: { root: controls.icon },
    },
    Checkbox: { classNames: { input: controls.check } },
    Radio: { classNames: { radio: controls.check } },
    Switch: { classNames: { track: controls.track } },
    Input: { classNames: { wrapper: controls.field } },
    Select: { classNames: { option: controls.option } },
    Modal: {
      defaultProps: { radius: 8, centered: true, transitionProps: { duration: 120 } },
      styles: { title: { fontWeight: 600, fontSize: '16px' } },
    },
    Menu: { defaultProps: { radius: 8, shadow: 'md', transitionProps: { duration: 100 } } },
    Notification: { classNames: { root: controls.toast, description: controls.toastText } },
    Tooltip: { defaultProps: { openDelay: 250, withArrow: false, fz: 12, radius: 6 } },
  },
});

/** Mantine's own semantic variables, pointed at our tokens, so that its components follow the same colours. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--mr-surface)',
    '--mantine-color-text': 'var(--mr-text)',
    '--mantine-color-bright': 'var(--mr-text)',
    '--mantine-color-dimmed': 'var(--mr-text-muted)',
    '--mantine-color-placeholder': 'var(--mr-text-muted)',
    '--mantine-color-anchor': 'var(--mr-brand)',
    '--mantine-color-default': 'var(--mr-surface)',
    '--mantine-color-default-hover': 'var(--mr-surface-2)',
    '--mantine-color-default-color': 'var(--mr-text)',
    '--mantine-color-default-border': 'var(--mr-border-strong)',
    '--mantine-color-disabled': 'var(--mr-surface-2)',
    '--mantine-color-disabled-color': 'var(--mr-text-muted)',
    '--mantine-color-disabled-border': 'var(--mr-border)',
    '--mantine-color-error': 'var(--mr-danger)',
    '--mantine-primary-color-filled': 'var(--mr-brand)',
    '--mantine-primary-color-contrast': 'var(--mr-on-brand)',
    '--mantine-color-gray-light': 'transparent',
    '--mantine-color-gray-light-hover': 'var(--mr-surface-2)',
    '--mantine-color-gray-light-color': 'var(--mr-text-muted)',
  };
  return { variables: {}, light: shared, dark: shared };
};

const usualButton = { '--button-height': '34px', '--button-padding-x': '14px', '--button-fz': '13px' };

const filled = (name: 'brand' | 'danger') => ({
  '--button-bg': `var(--mr-${name})`,
  '--button-hover': `var(--mr-${name}-hover)`,
  '--button-color': `var(--mr-on-${name})`,
});
