export { factsOf } from './Facts.tsx';
export type { GraphLayout, PlacedEdge, Point } from './layout/layout.ts';
export type { Mark, Marks } from './nodes.tsx';
export { IconImage, PluginIcon, pluginIconsQuery } from './PluginIcon.tsx';
export { Topology } from './Topology.tsx';
export { TopologyControls } from './TopologyControls.tsx';
export { type TopologyView, useTopology } from './topologyView.ts';
