export { IconImage, PluginIcon } from './PluginIcon.tsx';
export { Topology } from './Topology.tsx';
export { TopologyControls } from './TopologyControls.tsx';
