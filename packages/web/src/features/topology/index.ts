export { IconImage, PluginIcon } from './PluginIcon.tsx';
export { pluginIconsQuery } from './queries.ts';
export { Topology } from './Topology.tsx';
export { TopologyControls } from './TopologyControls.tsx';
