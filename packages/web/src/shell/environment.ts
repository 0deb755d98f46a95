import { useSetting } from '../storage/settings.ts';
import { useConfiguration } from './configuration.ts';

/** Which installation this is: what the settings page says wins over what the server says. */
export function useEnvironment(): { name: string | undefined; color: string } {
  const { environment } = useConfiguration();
  const name = useSetting('environmentName') || environment?.name || undefined;
  const color = useSetting('environmentColor') || environment?.color || 'var(--mr-brand)';
  return { name, color };
}
