module orbweaver

go 1.26
