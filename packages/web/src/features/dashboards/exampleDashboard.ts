/** What a new dashboard starts from: one chart of each usual kind, ready to be changed. */
export const exampleDashboard = `title: My dashboard
description: What happened lately
timeWindow:
  default: P30D
  max: P365D
charts:
  - id: executions_per_day
    type: core.dashboard.chart.TimeSeries
    chartOptions:
      displayName: Executions per day
      width: 8
      column: date
      colorByColumn: state
    data:
      type: core.dashboard.data.Executions
      columns:
        date:
          field: START_DATE
        state:
          field: STATE
        total:
          displayName: Executions
          agg: COUNT
          graphStyle: BARS

  - id: by_state
    type: core.dashboard.chart.Pie
    chartOptions:
      displayName: By state
      width: 4
      colorByColumn: state
    data:
      type: core.dashboard.data.Executions
      columns:
        state:
          field: STATE
        total:
          agg: COUNT

  - id: by_namespace
    type: core.dashboard.chart.Bar
    chartOptions:
      displayName: By namespace
      width: 6
      column: namespace
    data:
      type: core.dashboard.data.Executions
      columns:
        namespace:
          field: NAMESPACE
        state:
          field: STATE
        total:
          displayName: Executions
          agg: COUNT

  - id: in_progress
    type: core.dashboard.chart.Table
    chartOptions:
      displayName: In progress
      width: 6
    data:
      type: core.dashboard.data.Executions
      columns:
        flow:
          displayName: Flow
          field: FLOW_ID
        state:
          displayName: State
          field: STATE
        start:
          displayName: Started
          field: START_DATE
      where:
        - field: STATE
          type: IN
          values: [RUNNING, PAUSED, QUEUED]
`;
