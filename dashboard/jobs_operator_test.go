package dashboard_test

// operatorJobs are of who keeps the installation running.
var operatorJobs = []job{}
